#include "core/export/export_format.h"

#include "core/experiment/timeline.h"
#include "core/export/export_file.h"
#include "core/io/leftovers.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <set>
#include <string>
#include <system_error>
#include <unistd.h>

namespace helio {
namespace {

namespace fs = std::filesystem;

/// Returns an absolute path without links and dots; `path` need not exist.
fs::path plainPath(const fs::path& path)
{
    std::error_code error;
    fs::path plain = fs::weakly_canonical(fs::absolute(path, error), error);
    return plain.has_filename() ? plain : plain.parent_path();
}

/// True if `inner` is `outer` or lies in the folder `outer`. Both are plain paths.
bool isWithin(const fs::path& inner, const fs::path& outer)
{
    const auto [atOuter, atInner] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
    return atOuter == outer.end();
}

/// Checks that `output` is not the file or folder `input` under any name.
Status checkFile(const fs::path& output, const fs::path& input)
{
    if (std::error_code error; fs::equivalent(output, input, error))
        return Error{Error::Kind::Usage, "Cannot write " + output.string() + ": it is a part of the input " + input.string()};
    return Done{};
}

/// Checks that writing `output` neither changes a file of a trace nor adds a file to its folder.
Status checkTrace(const fs::path& output, const fs::path& trace)
{
    const fs::path out = plainPath(output);
    const fs::path in = plainPath(trace);
    if (isWithin(out, in) || isWithin(in, out))
        return Error{Error::Kind::Usage, "Cannot write " + output.string() + ": it is in the folder of the input " + trace.string()};
    return Done{};
}

Status checkOutput(const ExportFormat& format, const ExportRequest& request)
{
    if (Status checked = checkOutside(request.output, *request.timeline, request.inputs); !checked)
        return checked;
    std::error_code error;
    const fs::file_status status = fs::status(request.output, error);
    if (fs::is_directory(status) && !(format.isFolder && fs::is_empty(request.output, error)))
        return Error{Error::Kind::Usage,
                     "Cannot write " + request.output.string() + ": the folder exists" + (format.isFolder ? " and is not empty" : "")};
    if (fs::exists(status) && !fs::is_directory(status) && (format.isFolder || !fs::is_regular_file(status)))
        return Error{Error::Kind::Usage,
                     "Cannot write " + request.output.string() + (format.isFolder ? ": a file has this name" : ": not a regular file")};
    return Done{};
}

Status checkAbilities(const ExportFormat& format, const ExportSelection& selection)
{
    const auto refuse = [&](const char* what) {
        return Error{Error::Kind::Usage, std::string("The format ") + format.name + " cannot be limited to " + what};
    };
    const auto& [selectsRows, selectsHosts, selectsView] = format.abilities;
    if (!selectsRows && selectsHosts && (selection.selectsThreads() || selection.cpu))
        return refuse("a process, thread or CPU");
    if (!selectsRows && !selectsHosts && selection.selectsRows())
        return refuse("a host, process, thread or CPU");
    if (!selectsView && !selection.view.empty())
        return refuse("a view");
    return Done{};
}

/// Checks that writing `output` neither changes a file of a trace nor adds a file to a folder with its files. The path of a trace in
/// several folders is only what these have in common, which may be "/".
Status checkTraceFolders(const fs::path& output, const Trace& trace)
{
    const fs::path& path = trace.info().path;
    std::set<fs::path> folders;
    if (std::error_code error; fs::is_directory(path, error))
        for (const StreamInfo& stream : trace.streams())
            for (const fs::path& file : stream.files)
                folders.insert(file.parent_path());
    if (folders.empty())
        folders.insert(path);
    for (const fs::path& folder : folders)
        if (Status checked = checkTrace(output, folder); !checked)
            return checked;
    return Done{};
}

/// Waits until the contents of a file are on the disk, so that a full disk or a power failure leaves no partial file under the final name.
/// The contents of a folder are the names in it.
Status syncFile(const fs::path& path, const fs::path& shown)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return cannotWrite(shown, errno);
    const int failed = ::fsync(file) != 0 ? errno : 0;
    ::close(file);
    return failed == 0 || failed == EINVAL ? Status(Done{}) : cannotWrite(shown, failed);
}

/// Waits until a file, or a folder with all that is in it, is on the disk.
Status syncAll(const fs::path& path, const fs::path& shown)
{
    std::error_code error;
    if (fs::is_directory(path, error)) {
        fs::recursive_directory_iterator it(path, error);
        for (const fs::recursive_directory_iterator end; !error && it != end; it.increment(error))
            if (Status synced = syncFile(it->path(), shown); !synced)
                return synced;
    }
    return error ? Status(cannotWrite(shown, error.value())) : syncFile(path, shown);
}

} // namespace

const std::vector<const ExportFormat*>& exportFormats()
{
    static const std::vector<const ExportFormat*> Sorted = [] {
        const auto found = builtinExportFormats();
        std::vector<const ExportFormat*> sorted(found.begin(), found.end());
        std::ranges::sort(sorted, {}, &ExportFormat::order);
        return sorted;
    }();
    return Sorted;
}

const ExportFormat* findExportFormat(std::string_view name)
{
    const auto& formats = exportFormats();
    const auto found = std::ranges::find_if(formats, [name](const ExportFormat* it) { return it->name == name; });
    return found == formats.end() ? nullptr : *found;
}

Status checkOutside(const fs::path& output, const Timeline& timeline, const std::vector<fs::path>& inputs)
{
    for (const TimelineTrace& it : timeline.traces) {
        for (const StreamInfo& stream : it.trace->streams())
            for (const fs::path& file : stream.files)
                if (Status checked = checkFile(output, file); !checked)
                    return checked;
        if (Status checked = checkTraceFolders(output, *it.trace); !checked)
            return checked;
    }
    for (const fs::path& input : inputs) {
        if (Status checked = checkFile(output, input); !checked)
            return checked;
        if (Status checked = checkTrace(output, input); !checked)
            return checked;
    }
    return Done{};
}

Status writeExport(const ExportFormat& format, const ExportRequest& request)
{
    if (Status checked = checkAbilities(format, request.selection); !checked)
        return checked;
    if (Status checked = checkOutput(format, request); !checked)
        return checked;
    const fs::path output = plainPath(request.output);
    if (output.empty())
        return cannotWrite(request.output, ENOENT);
    const TemporaryFolder folder(output.parent_path(), ".heliograph-export-");
    if (!folder.isMade())
        return cannotWrite(request.output, errno);
    const fs::path content = folder.path() / "export";
    std::error_code error;
    if (format.isFolder && !fs::create_directory(content, error))
        return cannotWrite(request.output, error.value());
    request.report(0);
    const Status written = format.write(request, content);
    if (request.stop.stop_requested())
        return Error{Error::Kind::Cancelled, "The export was cancelled"};
    if (!written) {
        // The user knows the final path only.
        Error failed = written.error();
        const std::string path = content.string();
        if (const std::size_t at = failed.what.find(path); at != std::string::npos)
            failed.what.replace(at, path.size(), request.output.string());
        return failed;
    }
    if (const fs::file_status replaced = fs::status(output, error); fs::exists(replaced))
        fs::permissions(content, replaced.permissions(), error);
    if (Status synced = syncAll(content, request.output); !synced)
        return synced;
    fs::rename(content, output, error);
    if (error)
        return cannotWrite(request.output, error.value());
    (void)syncFile(output.parent_path(), request.output); // The export is complete, even if its folder cannot be read.
    return Done{};
}

} // namespace helio
