#pragma once

#include "core/waits/path/explain_wait.h"

#include <string>

namespace helio {

/// Returns a duration as text, for example "84.193 ms".
std::string durationWords(Duration length);

/// True if the thread ran in steps of this kind.
constexpr bool isRun(PathKind kind) { return kind == PathKind::Running || kind == PathKind::PageFault || kind == PathKind::Interrupted; }

/// Sets the main cause and the conclusions of a wait of `thread` from its steps and its path.
void addConclusion(const Timeline& timeline, TrackRef thread, Why& why);

} // namespace helio
