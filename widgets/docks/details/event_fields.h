#pragma once

#include "core/query/events/events.h"

#include <QString>

#include <vector>

namespace helio {

/// A line of the tree of an event's fields.
struct FieldLine {
    QString name;
    QString value; ///< Empty for structures and arrays, whose members are the following lines.
    int depth = 0;
};

/// Returns every field of an event, contexts first, members indented. At most `limit` lines; the last line then says how many are left out.
std::vector<FieldLine> fieldLines(const EventRow& row, std::size_t limit = 400);

} // namespace helio
