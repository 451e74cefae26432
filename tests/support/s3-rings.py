# Writes the three rings of a Swift with one device each, in one start of Python:
# s3-rings.py <folder> <port of accounts> <port of containers> <port of objects>
import os
import sys

from swift.common.ring import RingBuilder

folder, *ports = sys.argv[1:]
for name, port in zip(('account', 'container', 'object'), ports):
    builder = RingBuilder(4, 1, 0)  # 16 partitions, one copy, no waiting between changes.
    builder.add_dev({
        'region': 1,
        'zone': 1,
        'ip': '127.0.0.1',
        'port': int(port),
        'replication_ip': '127.0.0.1',
        'replication_port': int(port),
        'device': 'disk',
        'weight': 1.0,
        'meta': '',
    })
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f'{name}.ring.gz'))
