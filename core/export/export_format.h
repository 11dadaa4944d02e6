#pragma once

#include "core/base/result.h"
#include "core/export/export_selection.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

struct Timeline;

/// Request to write a part of a timeline in the format of another tool.
struct ExportRequest {
    std::shared_ptr<const Timeline> timeline;
    ExportSelection selection;
    std::filesystem::path output; ///< File or folder to write.
    std::vector<std::filesystem::path> inputs{}; ///< Paths that the user opened, which must not be overwritten, e.g. archives.
    std::stop_token stop{};
    /// Called with the finished share of the work, from 0 to 1, at most a few times for each MB that is written. May be empty.
    /// Threads: called by the thread that exports.
    std::function<void(double share)> progress{};
    /// Called with sentences on what the export contains or lacks against expectation. May be empty.
    /// Threads: called by the thread that exports.
    std::function<void(const std::string& sentence)> note{};

    void report(double share) const
    {
        if (progress)
            progress(share);
    }
    void tell(const std::string& sentence) const
    {
        if (note)
            note(sentence);
    }
};

/// Parts of a selection that a format can apply. The time range is applied by all formats.
struct ExportAbilities {
    bool selectsRows = true; ///< True if the format can be limited to a host, a process, a thread or a CPU.
    bool selectsHosts = false; ///< True if the format can be limited to a host, even if not to a process, a thread or a CPU.
    bool selectsView = false; ///< True if the format can be limited to the rows of a view.
};

/// Format of an export. Each file X_export.cpp in core/export/formats defines one as `extern const ExportFormat XExport`; the build finds
/// these files.
struct ExportFormat {
    int order; ///< Position of the format in lists.
    const char* name; ///< Word of the command line, e.g. "chrome-json".
    const char* title; ///< Noun for the window, e.g. "Chrome JSON".
    const char* summary; ///< Contents and tools that open them: a phrase of at most 72 characters, without a period.
    const char* suffix; ///< Suffix of the suggested file name, e.g. ".json"; empty for folders.
    bool isFolder; ///< True if the export is a folder with several files.
    ExportAbilities abilities;
    /// Writes the export to `path`, which does not exist yet; if the format is a folder, `path` is an empty folder. The caller removes
    /// `path` after an error.
    /// Threads: any but the UI thread.
    /// Errors: Cancelled soon after a stop request; Unreadable if a file cannot be written; Unsupported if the recording has nothing that
    /// the format can contain.
    Status (*write)(const ExportRequest& request, const std::filesystem::path& path);
};

/// Returns the formats that the build found, in the order of their file names.
std::span<const ExportFormat* const> builtinExportFormats();
/// Returns all formats in the order of ExportFormat::order.
const std::vector<const ExportFormat*>& exportFormats();
/// Returns the format with this name; nullptr if there is none.
const ExportFormat* findExportFormat(std::string_view name);

/// Checks that writing a file or folder `output` changes no file of the traces, and adds none to the folders that the user opened.
/// `inputs`: the paths that the user opened, e.g. archives.
/// Errors: Usage.
Status checkOutside(const std::filesystem::path& output, const Timeline& timeline, const std::vector<std::filesystem::path>& inputs);

/// Writes an export to `request.output`, completely or not at all: a temporary folder beside it receives the files. An existing file is
/// replaced, and its permissions are kept; an existing folder is not replaced, unless it is empty.
///
/// Threads: any but the UI thread.
/// Errors: Usage if the output is a part of the input, or an existing folder, or if the format cannot apply the selection; Cancelled;
/// Unreadable if the output cannot be written; and the errors of ExportFormat::write.
Status writeExport(const ExportFormat& format, const ExportRequest& request);

} // namespace helio
