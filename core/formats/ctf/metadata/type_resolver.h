#pragma once

#include "core/trace/fields/field_type.h"

#include <array>
#include <string>

namespace helio::ctf {

/// Resolved types of an event's sections, by Section; nullptr for a section that does not exist or is not resolved yet.
using SectionTypes = std::array<FieldTypePtr, 6>;

/// Returns the type with absolute FieldPaths for all lengths and tags, and without the escaping underscores of members. Returns nullptr if
/// `type` is nullptr.
///
/// A path that begins with a section's name, e.g. "stream.event.context.tid", is absolute. Any other path is searched among the members
/// before its field in the enclosing structures, innermost first, then in the sections before its own, nearest first.
///
/// Errors: throws std::string, a cause without a line number.
FieldTypePtr resolved(const FieldTypePtr& type, Section section, const SectionTypes& before);

} // namespace helio::ctf
