// oxlint-disable max-lines -- generated as a whole: everything below this line is the file of `rowhouse gen types`
// Written by `rowhouse gen types` from the tables and functions of a project. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      atmospheres: {
        Row: {
          planet_id: number;
          pressure: number | null;
        };
        Insert: {
          planet_id: number;
          pressure?: number | null;
        };
        Update: {
          planet_id?: number;
          pressure?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'atmospheres_planet_id_fkey';
            columns: ['planet_id'];
            isOneToOne: true;
            referencedRelation: 'planets';
            referencedColumns: ['id'];
          },
        ];
      };
      berths: {
        Row: {
          note: string | null;
          nr: number;
          ship_id: number;
          sleeper: string | null;
        };
        Insert: {
          note?: string | null;
          nr: number;
          ship_id: number;
          sleeper?: string | null;
        };
        Update: {
          note?: string | null;
          nr?: number;
          ship_id?: number;
          sleeper?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'berths_ship_id_fkey';
            columns: ['ship_id'];
            isOneToOne: false;
            referencedRelation: 'ships';
            referencedColumns: ['id'];
          },
        ];
      };
      crew: {
        Row: {
          id: number;
          loud: string | null;
          name: string;
          nickname: string | null;
          papers: Json | null;
          rank: number | null;
          ship_id: number | null;
          tags: string[] | null;
        };
        Insert: {
          id?: number;
          loud?: never;
          name?: string;
          nickname?: string | null;
          papers?: Json | null;
          rank?: number | null;
          ship_id?: number | null;
          tags?: string[] | null;
        };
        Update: {
          id?: number;
          loud?: never;
          name?: string;
          nickname?: string | null;
          papers?: Json | null;
          rank?: number | null;
          ship_id?: number | null;
          tags?: string[] | null;
        };
        Relationships: [
          {
            foreignKeyName: 'crew_ship_id_fkey';
            columns: ['ship_id'];
            isOneToOne: false;
            referencedRelation: 'ships';
            referencedColumns: ['id'];
          },
        ];
      };
      items: {
        Row: {
          amount: number;
          article: string;
          id: number;
          order_id: number;
        };
        Insert: {
          amount?: number;
          article: string;
          id?: number;
          order_id: number;
        };
        Update: {
          amount?: number;
          article?: string;
          id?: number;
          order_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'items_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
        ];
      };
      missions: {
        Row: {
          follows: number | null;
          id: number;
          name: string;
        };
        Insert: {
          follows?: number | null;
          id: number;
          name: string;
        };
        Update: {
          follows?: number | null;
          id?: number;
          name?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'missions_follows_fkey';
            columns: ['follows'];
            isOneToOne: false;
            referencedRelation: 'missions';
            referencedColumns: ['id'];
          },
        ];
      };
      moons: {
        Row: {
          id: number;
          name: string | null;
          planet_id: number;
          radius_km: number | null;
        };
        Insert: {
          id: number;
          name?: string | null;
          planet_id: number;
          radius_km?: number | null;
        };
        Update: {
          id?: number;
          name?: string | null;
          planet_id?: number;
          radius_km?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'moons_planet_id_fkey';
            columns: ['planet_id'];
            isOneToOne: false;
            referencedRelation: 'planets';
            referencedColumns: ['id'];
          },
        ];
      };
      notes: {
        Row: {
          id: number;
          owner: string;
          text: string;
        };
        Insert: {
          id?: number;
          owner?: string;
          text: string;
        };
        Update: {
          id?: number;
          owner?: string;
          text?: string;
        };
        Relationships: [];
      };
      orders: {
        Row: {
          customer: string;
          id: number;
          state: string;
          tags: string[] | null;
          total: number | null;
        };
        Insert: {
          customer: string;
          id?: number;
          state?: string;
          tags?: string[] | null;
          total?: number | null;
        };
        Update: {
          customer?: string;
          id?: number;
          state?: string;
          tags?: string[] | null;
          total?: number | null;
        };
        Relationships: [];
      };
      places: {
        Row: {
          geometry: Json | null;
          id: number;
          name: string;
        };
        Insert: {
          geometry?: Json | null;
          id: number;
          name: string;
        };
        Update: {
          geometry?: Json | null;
          id?: number;
          name?: string;
        };
        Relationships: [];
      };
      planets: {
        Row: {
          about: string | null;
          about_words: string | null;
          facts: Json | null;
          has_rings: boolean | null;
          id: number;
          mass: number | null;
          moon_count: number | null;
          name: string;
          orbit: string | null;
          star_id: number | null;
          tags: string[] | null;
        };
        Insert: {
          about?: string | null;
          about_words?: never;
          facts?: Json | null;
          has_rings?: boolean | null;
          id: number;
          mass?: number | null;
          moon_count?: number | null;
          name: string;
          orbit?: string | null;
          star_id?: number | null;
          tags?: string[] | null;
        };
        Update: {
          about?: string | null;
          about_words?: never;
          facts?: Json | null;
          has_rings?: boolean | null;
          id?: number;
          mass?: number | null;
          moon_count?: number | null;
          name?: string;
          orbit?: string | null;
          star_id?: number | null;
          tags?: string[] | null;
        };
        Relationships: [
          {
            foreignKeyName: 'planets_star_id_fkey';
            columns: ['star_id'];
            isOneToOne: false;
            referencedRelation: 'stars';
            referencedColumns: ['id'];
          },
        ];
      };
      samples: {
        Row: {
          grams: number | null;
          id: number;
          nr: number | null;
          planet_id: number | null;
        };
        Insert: {
          grams?: number | null;
          id: number;
          nr?: number | null;
          planet_id?: number | null;
        };
        Update: {
          grams?: number | null;
          id?: number;
          nr?: number | null;
          planet_id?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'samples_planet_id_nr_fkey';
            columns: ['planet_id', 'nr'];
            isOneToOne: false;
            referencedRelation: 'sites';
            referencedColumns: ['planet_id', 'nr'];
          },
        ];
      };
      ships: {
        Row: {
          id: number;
          name: string;
        };
        Insert: {
          id: number;
          name: string;
        };
        Update: {
          id?: number;
          name?: string;
        };
        Relationships: [];
      };
      sites: {
        Row: {
          name: string | null;
          nr: number;
          planet_id: number;
        };
        Insert: {
          name?: string | null;
          nr: number;
          planet_id: number;
        };
        Update: {
          name?: string | null;
          nr?: number;
          planet_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'sites_planet_id_fkey';
            columns: ['planet_id'];
            isOneToOne: false;
            referencedRelation: 'planets';
            referencedColumns: ['id'];
          },
        ];
      };
      stars: {
        Row: {
          id: number;
          mass: number | null;
          name: string;
        };
        Insert: {
          id: number;
          mass?: number | null;
          name: string;
        };
        Update: {
          id?: number;
          mass?: number | null;
          name?: string;
        };
        Relationships: [];
      };
      stock: {
        Row: {
          amount: number;
          article: string;
          order_id: number | null;
        };
        Insert: {
          amount: number;
          article: string;
          order_id?: number | null;
        };
        Update: {
          amount?: number;
          article?: string;
          order_id?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'stock_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
        ];
      };
      transfers: {
        Row: {
          id: number;
          origin: number | null;
          target: number | null;
        };
        Insert: {
          id: number;
          origin?: number | null;
          target?: number | null;
        };
        Update: {
          id?: number;
          origin?: number | null;
          target?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'transfers_origin_fkey';
            columns: ['origin'];
            isOneToOne: false;
            referencedRelation: 'planets';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'transfers_target_fkey';
            columns: ['target'];
            isOneToOne: false;
            referencedRelation: 'planets';
            referencedColumns: ['id'];
          },
        ];
      };
      visits: {
        Row: {
          mission_id: number;
          planet_id: number;
          year: number | null;
        };
        Insert: {
          mission_id: number;
          planet_id: number;
          year?: number | null;
        };
        Update: {
          mission_id?: number;
          planet_id?: number;
          year?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'visits_mission_id_fkey';
            columns: ['mission_id'];
            isOneToOne: false;
            referencedRelation: 'missions';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'visits_planet_id_fkey';
            columns: ['planet_id'];
            isOneToOne: false;
            referencedRelation: 'planets';
            referencedColumns: ['id'];
          },
        ];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      add:
        | {
            Args: { a: number; b?: number };
            Returns: number;
          }
        | {
            Args: { a: string; b: string; c: string };
            Returns: string;
          };
      biggest_moon: {
        Args: { '': Database['public']['Tables']['planets']['Row'] };
        Returns: Database['public']['Tables']['moons']['Row'][];
        SetofOptions: { from: 'planets'; to: 'moons'; isOneToOne: true; isSetofReturn: true };
      };
      caller: {
        Args: Record<PropertyKey, never>;
        Returns: Json;
      };
      earth: {
        Args: Record<PropertyKey, never>;
        Returns: Database['public']['Tables']['planets']['Row'];
        SetofOptions: { from: '*'; to: 'planets'; isOneToOne: true; isSetofReturn: false };
      };
      label: {
        Args: { '': Database['public']['Tables']['planets']['Row'] };
        Returns: string;
      };
      moon_names: {
        Args: Record<PropertyKey, never>;
        Returns: string[];
      };
      nap: {
        Args: { seconds: number };
        Returns: string;
      };
      nothing: {
        Args: Record<PropertyKey, never>;
        Returns: null;
      };
      place_order: {
        Args: { customer: string };
        Returns: Database['public']['Tables']['orders']['Row'];
        SetofOptions: { from: '*'; to: 'orders'; isOneToOne: true; isSetofReturn: false };
      };
      planets_of: {
        Args: { star: number };
        Returns: Database['public']['Tables']['planets']['Row'][];
        SetofOptions: { from: '*'; to: 'planets'; isOneToOne: false; isSetofReturn: true };
      };
      refuse: {
        Args: Record<PropertyKey, never>;
        Returns: string;
      };
      street_of: {
        Args: { person: Json };
        Returns: string;
      };
      sum_of: {
        Args: { numbers: number[] };
        Returns: number;
      };
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};

type Public = Database['public'];

/** A row as it is read. */
export type Tables<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Row'];

/** A row as an insert writes it. */
export type TablesInsert<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Insert'];

/** Columns as an update writes them. */
export type TablesUpdate<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Update'];

export type Enums<Name extends keyof Public['Enums']> = Public['Enums'][Name];
