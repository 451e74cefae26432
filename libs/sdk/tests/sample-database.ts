/** A database for the type tests: every kind of relationship once, in the shape of generated types. */
import type { Json } from '../src/types/index.js';

type Writable<Row> = { [Name in keyof Row]?: Row[Name] };

interface TableOf<Row, Relationships extends readonly unknown[] = []> {
  Row: Row;
  Insert: Writable<Row>;
  Update: Writable<Row>;
  Relationships: Relationships;
}

/** A key to `To`, by way of one column that refers to `id`. */
interface KeyTo<
  Name extends string,
  Column extends string,
  To extends string,
  IsOne extends boolean = false,
> {
  foreignKeyName: Name;
  columns: [Column];
  isOneToOne: IsOne;
  referencedRelation: To;
  referencedColumns: ['id'];
}

export interface Settings {
  theme: 'dark' | 'light';
  font: { size: number; family?: string };
  tags: string[];
}

export type SampleDatabase = {
  public: {
    Tables: {
      planets: TableOf<
        {
          id: number;
          name: string;
          kind: 'rocky' | 'gas';
          mass: number | null;
          facts: Json;
          notes: Json | null;
          tags: string[];
          has_rings: boolean;
          star_id: number | null;
          'odd name, (sic)': string;
          error: string;
        },
        [KeyTo<'planets_star_id_fkey', 'star_id', 'stars'>]
      >;
      stars: TableOf<{ id: number; name: string; settings: Settings | null }>;
      moons: TableOf<
        { id: number; name: string; planet_id: number; radius: number | null },
        [KeyTo<'moons_planet_id_fkey', 'planet_id', 'planets'>]
      >;
      orbits: TableOf<
        { id: number; planet_id: number; period: number },
        [KeyTo<'orbits_planet_id_fkey', 'planet_id', 'planets', true>]
      >;
      astronauts: TableOf<{ id: number; name: string }>;
      visits: TableOf<
        { astronaut_id: number; planet_id: number; on: string },
        [
          KeyTo<'visits_astronaut_id_fkey', 'astronaut_id', 'astronauts'>,
          KeyTo<'visits_planet_id_fkey', 'planet_id', 'planets'>,
        ]
      >;
      dreams: TableOf<
        { astronaut_id: number; moon_id: number },
        [
          KeyTo<'dreams_astronaut_id_fkey', 'astronaut_id', 'astronauts'>,
          KeyTo<'dreams_moon_id_fkey', 'moon_id', 'moons'>,
        ]
      >;
      landings: TableOf<
        { astronaut_id: number; moon_id: number },
        [
          KeyTo<'landings_astronaut_id_fkey', 'astronaut_id', 'astronauts'>,
          KeyTo<'landings_moon_id_fkey', 'moon_id', 'moons'>,
        ]
      >;
      flights: TableOf<
        { id: number; from_id: number; to_id: number | null },
        [
          KeyTo<'flights_from_id_fkey', 'from_id', 'planets'>,
          KeyTo<'flights_to_id_fkey', 'to_id', 'planets'>,
        ]
      >;
      employees: TableOf<
        { id: number; name: string; boss_id: number | null },
        [KeyTo<'employees_boss_id_fkey', 'boss_id', 'employees'>]
      >;
      parcels: TableOf<
        { id: number; shelf_row: number; shelf_place: number | null },
        [
          {
            foreignKeyName: 'parcels_shelf_fkey';
            columns: ['shelf_row', 'shelf_place'];
            isOneToOne: false;
            referencedRelation: 'shelves';
            referencedColumns: ['row', 'place'];
          },
        ]
      >;
      shelves: TableOf<{ row: number; place: number; label: string }>;
    };
    Views: {
      big_planets: { Row: { id: number | null; name: string | null }; Relationships: [] };
    };
    Functions: {
      density: {
        Args: { planets: SampleDatabase['public']['Tables']['planets']['Row'] };
        Returns: number;
      };
      neighbors: {
        Args: { planets: SampleDatabase['public']['Tables']['planets']['Row'] };
        Returns: SampleDatabase['public']['Tables']['planets']['Row'][];
        SetofOptions: { from: 'planets'; to: 'planets'; isOneToOne: false; isSetofReturn: true };
      };
      largest_moon: {
        Args: { planets: SampleDatabase['public']['Tables']['planets']['Row'] };
        Returns: SampleDatabase['public']['Tables']['moons']['Row'];
        SetofOptions: { from: 'planets'; to: 'moons'; isOneToOne: true; isSetofReturn: true };
      };
      add: { Args: { a: number; b?: number }; Returns: number };
      now_here: { Args: never; Returns: string };
      search:
        { Args: { text: string }; Returns: number[] } | { Args: { id: number }; Returns: string };
    };
    Enums: { mood: 'calm' | 'stormy' };
    CompositeTypes: { [Name in never]: never };
  };
};
