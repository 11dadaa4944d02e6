#pragma once

#include "app/cli/output/table_writer.h"
#include "core/base/result.h"
#include "core/compare/difference_basis.h"
#include "core/compare/difference_widths.h"
#include "core/experiment/experiment.h"
#include "core/query/filters/expression.h"
#include "core/query/filters/time_text.h"
#include "core/query/samples/call_tree.h"
#include "core/query/samples/function_groups.h"
#include "core/symbol/source_paths.h"
#include "widgets/flame/flame_colors.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// What flame shows, and how.
struct FlameOptions {
    enum class Format : std::uint8_t { Tree, Functions, Folded, Svg, Speedscope };
    Format format = Format::Tree; ///< The first two as CommandOptions::format says.
    std::string event; ///< Empty: the command chooses one.
    CallTreeOptions tree;
    bool isWeightChosen = false; ///< tree.by was asked for.
    FunctionGroup group = FunctionGroup::Function; ///< Of the table: what a line is.
    std::vector<std::string> with; ///< Of the table: other events, beside this one.
    bool isIcicle = false;
    std::string title; ///< Of the picture. Empty: what it is of.
    std::uint32_t width = 1200; ///< Of the picture, in pixels.
    FlameColoring coloring = FlameColoring::Module;
    bool expandsInlined = true; ///< Functions inlined somewhere are frames of their own.
};

/// Which segments latency shows, and how.
struct LatencyOptions {
    enum class Output : std::uint8_t { Summary, List, Histogram };
    std::string kind; ///< The id of a kind of segments, or "state:" and a state's name.
    Output output = Output::Summary;
    std::uint32_t buckets = 20; ///< Of the histogram.
    bool isLogarithmic = false; ///< Its buckets are equal in ratio.
};

/// How two sides' samples are compared.
struct DifferenceOptions {
    std::optional<DifferenceBasis> basis; ///< None: what fits the samples.
    DifferenceWidths widths;
    bool ofTotals = false; ///< Colours show the change with callees.
    bool byRatio = false;
    bool isOfAll = false; ///< All samples, not those of one program.
    bool isOfDurations = false; ///< How long each stay in a state lasted, not where the time went.
};

/// What all commands understand, as the person wrote it and checked.
struct CommandOptions {
    std::vector<std::filesystem::path> traces;
    std::vector<std::filesystem::path> tracesA; ///< Of compare.
    std::vector<std::filesystem::path> tracesB;
    ExperimentOptions experiment;
    bool isQuiet = false;

    OutputFormat format = OutputFormat::Text;
    std::optional<TimeText> begin;
    std::optional<TimeText> end;
    std::string row; ///< A glob pattern; empty: all.
    std::shared_ptr<const Expression> filter;
    std::string process;
    std::optional<std::int64_t> thread;
    std::optional<std::int64_t> cpu;
    std::string host;
    std::string view; ///< Empty: all views, where that is possible.

    std::string symbol; ///< Of annotate: the function.
    SourcePaths sources;
    bool count = false; ///< Of events.
    bool byType = false; ///< Of events: how many of each type.
    std::optional<Duration> step; ///< Of counters: values at even steps. None: at each change.
    bool isSummary = false; ///< Of states: how long they lasted, by state and row.
    LatencyOptions latency;
    FlameOptions flame;
    DifferenceOptions difference; ///< Of compare and render.
    std::filesystem::path output; ///< Of render.
    int width = 1600;
    int height = 900;
    bool isSizeChosen = false; ///< Else pictures are as high as what they show.
    double scale = 1;
    std::string theme = "dark";
};

/// Exit statuses.
constexpr int ExitDone = 0;
constexpr int ExitInput = 1; ///< The input could not be used.
constexpr int ExitUsage = 2;

/// The options as texts, filled by the parser of arguments.
struct OptionTexts {
    std::vector<std::string> traces, tracesA, tracesB, offsets, plugins;
    std::string begin, end, row, filter, process, host, format, view, output, size, theme = "dark", storeDirectory, step;
    std::optional<std::int64_t> thread, cpu;
    unsigned jobs = 0;
    double scale = 1;
    std::vector<std::string> sourceDirectories;
    std::string symbol;
    std::vector<std::string> symbols, hide, hideModule, focus, with;
    std::string kallsyms, sysroot, event, by, base = "command", order, callersOf, calleesOf, group;
    std::string title, pixels, colors; ///< Of flame's svg; empty: as usual.
    bool isInverted = false, isTable = false, isIcicle = false, noInline = false, collapsesRecursion = false, asksDebuginfod = false;
    std::string per, width = "b"; ///< Without `per`: of a process, or of a unit of work where --units-a or --units-b gives some.
    double unitsA = 1, unitsB = 1;
    bool keepsElided = false, ofTotals = false, byRatio = false, isOfAll = false, isOfDurations = false;
    bool isJson = false, isQuiet = false, noSync = false, count = false, byType = false, isSummary = false, force = false;
    std::string of; ///< Of latency.
    std::optional<std::int64_t> buckets;
    bool isList = false, isHistogram = false, isLogarithmic = false;
};

/// Checks and converts. The error is of kind Usage and names the option.
Result<CommandOptions> readOptions(const OptionTexts& texts);

} // namespace helio
