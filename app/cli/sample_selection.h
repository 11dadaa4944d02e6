#pragma once

#include "app/cli/opening.h"
#include "core/query/sample_stacks.h"

namespace helio {

/// The kind that is meant: its whole name, or all before the modifiers of an event ("cpu-clock" for "cpu-clock:ppp"). Empty: the first.
Result<SampleKind> chosenKind(const std::vector<SampleKindFacts>& kinds, const std::string& event);

/// The samples of that kind which the command's options select.
SampleFilter sampleFilterOf(const CommandOptions& options, const OpenedExperiment& opened, const SampleKind& kind);

} // namespace helio
