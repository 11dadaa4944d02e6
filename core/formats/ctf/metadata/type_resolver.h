#pragma once

#include "core/trace/fields/field_type.h"

#include <array>
#include <string>

namespace helio::ctf {

/// The parts of an event that a length or a tag may lie in, resolved ones only, by Section; null where there is none.
using SectionTypes = std::array<FieldTypePtr, 6>;

/// The type with every length and tag found (each an absolute FieldPath) and every member's escaping underscore gone.
///
/// A path starts with a section's name ("stream.event.context.tid"), or is looked up outwards: in the structures around it, among the
/// members before it, then in the sections before its own, the nearest first.
///
/// Errors: throws std::string, a cause without a place.
FieldTypePtr resolved(const FieldTypePtr& type, Section section, const SectionTypes& before);

} // namespace helio::ctf
