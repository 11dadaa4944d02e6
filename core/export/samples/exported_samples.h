#pragma once

#include "core/export/export_format.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"

#include <string>
#include <vector>

namespace helio {

class ExportFile;

/// Returns the filter for the samples or calls of a kind that a selection contains: those that heliograph flame shows with the same
/// options.
SampleFilter sampleFilterOf(const ExportRequest& request, const SampleKind& kind);

/// Returns the kind of samples or calls that heliograph flame shows by default.
/// Errors: Unsupported if the recording has neither samples nor calls.
Result<SampleKind> defaultSampleKind(const ExportRequest& request);

/// Returns the error that the selection contains no samples.
Error makeNoSamplesError();

/// Tells the user why samples may be incomplete or wrong.
void tellLimits(const ExportRequest& request, const StackProfile& profile, const StackNames& names);

/// Returns the name of the recording for the user: the name of its first trace.
std::string recordingName(const ExportRequest& request);

/// Returns a sink that writes text to the file.
TextSink sinkTo(ExportFile& file);

} // namespace helio
