#pragma once

#include "core/trace/fields/field_type.h"

#include <array>
#include <string>

namespace helio::ctf {

/// Resolved types of an event's sections, indexed by Section; nullptr for a section that does not exist or is not resolved yet.
using SectionTypes = std::array<FieldTypePtr, 6>;

/// Returns the type with all lengths and tags as absolute FieldPaths, and without the escaping underscores of members; nullptr if `type` is
/// nullptr.
///
/// A path that begins with the name of a section, for example "stream.event.context.tid", is absolute. Any other path is searched in two
/// steps: first among the members that precede the field in the enclosing structures, innermost structure first; then in the preceding
/// sections, nearest section first.
///
/// Errors: throws std::string with the cause, without a line number.
FieldTypePtr resolved(const FieldTypePtr& type, Section section, const SectionTypes& before);

} // namespace helio::ctf
