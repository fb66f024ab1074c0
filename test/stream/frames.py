"""Reads messages with Python's own protobuf runtime and says what is in them.

    frames.py <folder of the generated modules> <file>

The file holds messages in hexadecimal, one a line: `<module> <message> <bytes>`. The answer is a JSON array with an
object a message: `fields` by name (integers as text, enumerations by the name of the value, what is absent as null)
and `bytes`, the message written again, in hexadecimal.
"""

import importlib
import json
import sys

from google.protobuf.descriptor import FieldDescriptor

INTEGERS = (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64)


def plain(field, value):
    if field.cpp_type == FieldDescriptor.CPPTYPE_MESSAGE:
        return fields_of(value)
    if field.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
        return field.enum_type.values_by_number[value].name
    return str(value) if field.cpp_type in INTEGERS else value


def fields_of(message):
    fields = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            fields[field.name] = [plain(field, each) for each in value]
        elif field.has_presence and not message.HasField(field.name):
            fields[field.name] = None
        else:
            fields[field.name] = plain(field, value)
    return fields


def main(folder, path):
    sys.path.insert(0, folder)
    answer = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            module, name, text = line.rstrip("\n").split(" ")
            message = getattr(importlib.import_module(module), name).FromString(bytes.fromhex(text))
            answer.append({"fields": fields_of(message), "bytes": message.SerializeToString().hex()})
    json.dump(answer, sys.stdout)


main(*sys.argv[1:])
