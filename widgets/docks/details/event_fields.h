#pragma once

#include "core/query/events/events.h"

#include <QString>

#include <vector>

namespace helio {

/// Line in the tree of an event's fields.
struct FieldLine {
    QString name;
    QString value; ///< Value as text; empty for structures and arrays, whose members are the following lines.
    int depth = 0;
};

/// Returns all fields of an event as lines: contexts first, members indented. At most `limit` lines; the last line then says how many are
/// omitted.
std::vector<FieldLine> fieldLines(const EventRow& row, std::size_t limit = 400);

/// Returns the members of a JSON object, e.g. the arguments of a slice, as lines in recorded order; members of nested objects are indented,
/// arrays are one value. Empty if the text is no JSON object, has no members, or is longer than 32 KiB.
std::vector<FieldLine> argumentLines(const QString& json);

} // namespace helio
