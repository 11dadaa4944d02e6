#pragma once

#include "core/query/events/events.h"

#include <QString>

#include <vector>

namespace helio {

/// A line of the tree of an event's fields.
struct FieldLine {
    QString name;
    QString value; ///< Empty for structures and arrays, whose members follow.
    int depth = 0;
};

/// Every field of an event, context first, nested ones indented; at most `limit` lines, the last then says how many are left out.
std::vector<FieldLine> fieldLines(const EventRow& row, std::size_t limit = 400);

} // namespace helio
