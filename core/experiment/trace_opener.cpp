#include "core/experiment/trace_opener.h"

#include "core/experiment/unreadable_file.h"
#include "core/io/archive.h"

#include <algorithm>
#include <set>
#include <system_error>

namespace helio {

namespace fs = std::filesystem;

namespace {

/// A message about `path`, which is removed from the text if the error names it as well.
Diagnostic problem(const fs::path& path, std::string what)
{
    if (const std::string named = path.string() + ": "; what.starts_with(named))
        what.erase(0, named.size());
    return {Diagnostic::Severity::Error, "unreadable", path.string(), 0, 1, std::move(what)};
}

/// The path in which to look for traces: an archive's unpacked members, a compressed recording's unpacked file, or else the path itself.
Result<fs::path> located(const fs::path& path, const fs::path& unpackDirectory, std::stop_token stop)
{
    std::error_code error;
    if (!fs::exists(path, error))
        return Error{Error::Kind::NotFound, "no such file or folder"};
    if (fs::is_regular_file(path, error) && isArchive(path))
        return unpackArchive(path, unpackDirectory, std::move(stop));
    if (fs::is_regular_file(path, error) && isCompressedRecording(path))
        return unpackFile(path, unpackDirectory, std::move(stop));
    return path;
}

/// Names an unpacked trace after the file that the user named: "traces.tar.gz/kernel".
TraceSource asNamed(TraceSource source, const fs::path& unpacked, const fs::path& named)
{
    if (unpacked == named)
        return source;
    if (source.parts.empty())
        source.parts.push_back(source.path);
    const fs::path below = source.path.lexically_relative(unpacked);
    source.path = below.empty() || below == "." ? named : named / below;
    return source;
}

class Opener {
public:
    void add(const fs::path& named, const fs::path& unpackDirectory, const std::stop_token& stop)
    {
        const auto path = located(named, unpackDirectory, stop);
        if (!path) {
            m_begun.problems.push_back(problem(named, path.error().what));
            return;
        }
        bool found = false;
        for (const TraceFormat* format : builtinTraceFormats()) {
            for (TraceSource& source : format->find(*path)) {
                found = true;
                begin(*format, asNamed(std::move(source), *path, named), stop);
            }
        }
        std::error_code error;
        if (!found)
            m_begun.problems.push_back(problem(named, describeUnreadable(*path)));
        else if (fs::is_directory(*path, error))
            if (const std::string denied = explainDenied(*path); !denied.empty())
                m_begun.problems.push_back(problem(named, denied));
    }

    BegunOpenings take() { return std::move(m_begun); }

private:
    void begin(const TraceFormat& format, const TraceSource& source, const std::stop_token& stop)
    {
        std::error_code error;
        const fs::path key = fs::weakly_canonical(source.path, error);
        if (!m_seen.insert(error ? source.path : key).second)
            return;
        auto trace = format.begin(source, stop);
        if (trace)
            m_begun.traces.push_back(std::move(*trace));
        else
            m_begun.problems.push_back(problem(source.path, trace.error().what));
    }

    std::set<fs::path> m_seen;
    BegunOpenings m_begun;
};

} // namespace

BegunOpenings beginTraces(const std::vector<fs::path>& paths, const fs::path& unpackDirectory, std::stop_token stop)
{
    Opener opener;
    for (const fs::path& path : paths)
        if (!stop.stop_requested())
            opener.add(path, unpackDirectory, stop);
    return opener.take();
}

} // namespace helio
