#pragma once

#include "core/base/embedded_file.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Making recordings: presets, checks of a machine, the commands of a recording, and the programs that run them.
namespace helio {

/// Tool that makes a recording. Lttng traces the kernel, programs, or both, as the preset says.
enum class RecordingTool : std::uint8_t { Perf, Lttng, TraceCmd, Tracefs };

constexpr std::size_t RecordingToolCount = 4;

/// Returns the stable word of a tool: "perf", "lttng", "trace-cmd" or "tracefs".
const char* wordOf(RecordingTool tool);

/// Returns the tool with the given word; nullopt if there is none.
std::optional<RecordingTool> recordingToolOf(std::string_view word);

/// Events at which perf takes samples.
struct SamplingRecipe {
    std::string event; ///< Event of perf, e.g. "cpu-clock"; empty for perf's default event, CPU cycles.
    unsigned frequency = 0; ///< Samples per second and CPU; 0 if `period` applies.
    unsigned period = 0; ///< Number of events per sample; 0 if `frequency` applies.
};

/// Events and samples to record for one purpose, independent of the tool. A preset is a JSON file; those of the program are in
/// resources/recording.
struct RecordingPreset {
    std::string id; ///< File name without ".json", e.g. "off-cpu". Consists of letters, digits, "-" and "_".
    std::string title; ///< Title for the window, e.g. "Off-CPU".
    std::string summary; ///< Content of the recording in one line, without a full stop.
    int order = 1000; ///< Position in lists of presets.
    std::vector<RecordingTool> tools; ///< Tools that can record the preset, the preferred one first; not empty.
    /// Kernel events for perf, trace-cmd and tracefs: "GROUP:NAME", e.g. "sched:sched_switch". A recording needs the first event; other
    /// events are left out if the kernel does not have them.
    std::vector<std::string> kernelEvents{};
    std::vector<std::string> lttngEvents{}; ///< Events of LTTng's kernel tracer.
    std::vector<std::string> systemCalls{}; ///< Names of the system calls to record; {"all"} for all of them.
    std::vector<std::string> userEvents{}; ///< Events of LTTng's user-space tracer.
    std::vector<std::string> userContexts{}; ///< Contexts of `userEvents`.
    std::vector<std::string> preloads{}; ///< Libraries to preload into the recorded command, without version, e.g. "liblttng-ust-dl.so".
    std::optional<SamplingRecipe> samples{}; ///< Sampling by perf; nullopt for none.
    bool hasCallStacks = false; ///< True if each event of perf has a call stack.
    bool needsMachine = false; ///< True if perf records all processes even if a command is given, because states of CPUs need them.
    bool isRing = false; ///< True if a ring buffer keeps only the last seconds, which are saved on request.
    /// Typical number of events per second of one busy CPU, and their size in bytes; 0 if unknown. Measured with the recordings of tests.
    double eventsPerSecond = 0;
    double bytesPerEvent = 0;
    std::filesystem::path file{}; ///< File of the preset; empty if the preset is part of the program.

    bool needsCommand() const { return !preloads.empty(); } ///< True if only a command can be recorded, not the machine.
    bool hasKernelPart() const { return !kernelEvents.empty() || !lttngEvents.empty(); }
};

/// Returns the preset files of the program: resources/recording.
std::span<const EmbeddedFile> builtinPresetFiles();

/// Reads a preset from the text of its file.
/// Errors: Corrupt, with the name of the wrong member.
Result<RecordingPreset> readPreset(std::string_view id, std::string_view json);

/// A preset file that cannot be used.
struct PresetProblem {
    std::filesystem::path file;
    std::string what; ///< A clause, e.g. "\"tools\" is missing".
};

struct RecordingPresets {
    std::vector<RecordingPreset> all; ///< In the order of RecordingPreset::order, then of their ids.
    std::vector<PresetProblem> problems;

    /// Returns the preset with the given id; nullptr if there is none.
    const RecordingPreset* find(std::string_view id) const;
};

/// Folder of the user's presets: $XDG_CONFIG_HOME/heliograph/record, or ~/.config/heliograph/record.
std::filesystem::path userPresetFolder();

/// Returns the presets of the program and those in `folder`. A preset of the user replaces one of the program with the same id.
/// Cost: reads the files in `folder`; at most 1,000 files of at most 1 MiB.
RecordingPresets findPresets(const std::filesystem::path& folder = userPresetFolder());

} // namespace helio
