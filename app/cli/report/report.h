#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"
#include "core/store/states.h"
#include "widgets/timeline/panels/render.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A picture or table of a report: what a command prints.
struct ReportPart {
    std::string title; ///< Heading above the picture or table; empty if the heading of the section suffices.
    /// Command and options without the traces, e.g. "stats", "--by", "process". "render" makes a picture, other commands tables.
    std::vector<std::string> words;
    /// Column whose largest values are shown, largest first; empty for the first rows in the order of the command.
    std::string sortedBy{};
    std::size_t mostRows = 60; ///< Maximum number of rows.
    std::vector<std::string> leftOut{}; ///< Columns that are not shown.
    /// Pictures of panels of the window, with their rows and their order; empty if `words` say all. The tables of a command other than
    /// "render" follow them.
    std::vector<RenderRequest> pictures{};
    std::string file{}; ///< Input of the command; empty if the command reads the traces.
    /// True if the user asked for the part: an error of the command is an error of the report. False to leave out a part that fails or is
    /// empty.
    bool isRequired = false;
};

struct ReportSection {
    std::string title;
    std::vector<ReportPart> parts;
};

/// A moment or range that the user marked, with the note.
struct ReportBookmark {
    TimeRange range; ///< An empty range is a moment.
    std::string note;
};

enum class ReportTheme : std::uint8_t { Auto, Light, Dark }; ///< Auto: the theme of the reader's desktop.

struct ReportRequest {
    std::shared_ptr<const Timeline> timeline; ///< Experiment with the rows of correlators.
    std::shared_ptr<const Timeline> opened; ///< Experiment without these rows, as commands open it; nullptr to use `timeline`.
    std::vector<std::filesystem::path> traces; ///< Paths as the user gave them.
    bool isSynchronized = true; ///< False if times are those that the traces recorded (--no-sync).
    std::vector<std::string> reading; ///< Options with which the traces are read, e.g. "--symbols", "bin"; all commands get them.
    std::string title; ///< Title; empty for the names of the traces.
    TimeRange range{Timestamp::min(), Timestamp::max()}; ///< Time range of the report.
    /// Options that select a part of the recording, e.g. "--begin", "+1s". Commands that have these options get them.
    std::vector<std::vector<std::string>> selection;
    std::vector<ReportSection> sections;
    std::vector<ReportBookmark> bookmarks;
    ReportTheme theme = ReportTheme::Auto;
    std::string command; ///< Command line that makes the same report again.
};

/// True if the command prints a table of a recording, or is "render", so that a ReportPart can have it.
bool isReportCommand(std::string_view command);

/// Returns the sections of a report about a whole recording: those for which the recording has data, in the order of the window's panels
/// and docks.
/// Cost: makes the rows of all views.
std::vector<ReportSection> reportSections(const std::shared_ptr<const Timeline>& timeline);

/// Returns the states that occur in a range of a view's rows, by name: those that the window's legend lists.
/// Cost: sums the times of each row.
std::map<std::string, StateKind, std::less<>> occurringStates(const Timeline& timeline, const std::string& view, TimeRange range);

/// Progress of a report; `done` of `total` parts are made.
using ReportProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Makes a report: one HTML document that loads nothing from elsewhere and needs no scripts. The same request gives the same bytes.
/// Requires: the program has a QGuiApplication.
/// Memory: bounded. Tables have at most ReportPart::mostRows rows; when the pictures become too large in total, further pictures are left
/// out, and the report says so.
/// Errors: Cancelled; an error of a required part.
/// Threads: any; slow.
Result<std::string> makeReport(const ReportRequest& request, const ReportProgress& progress = {}, std::stop_token stop = {});

/// Makes a report and writes it to a file, completely or not at all.
/// Errors: those of makeReport(); Unreadable if the file cannot be written.
Status saveReport(const ReportRequest& request, const std::filesystem::path& file, const ReportProgress& progress = {},
                  std::stop_token stop = {});

} // namespace helio
