#include "app/cli/command.h"
#include "app/cli/fleet/fleet_options.h"
#include "app/cli/fleet/recordings.h"
#include "app/cli/output/output.h"
#include "app/cli/output/redirection.h"
#include "app/cli/output/table_writer.h"
#include "core/fleet/catalogue.h"
#include "core/fleet/summary_file.h"

#include <array>
#include <chrono>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

namespace helio {
namespace {

namespace fs = std::filesystem;
using fleet::Addition;

/// Number of summaries that are added in one transaction. In between, other processes can add theirs.
constexpr std::size_t SummariesAtOnce = 200;
/// Longest time for which summaries of recordings wait to be added together: a transaction waits for the disk.
constexpr std::chrono::seconds LongestWait{1};

/// Numbers of what was added from one source.
struct AddedCounts {
    std::array<std::uint64_t, 4> byAddition{}; ///< Number of summaries by Addition.
    std::uint64_t rejected = 0; ///< Number of lines that are no summaries.

    std::uint64_t of(Addition addition) const { return byAddition[static_cast<std::size_t>(addition)]; }
};

/// Adds sources to a catalogue, one after the other.
class SourceAdder {
public:
    SourceAdder(const FleetOptions& options, fleet::Catalogue& catalogue)
        : m_options(options)
        , m_catalogue(catalogue)
    {
    }

    /// Adds a source. Prints what cannot be read.
    /// Errors: those of the catalogue; Usage and Cancelled.
    Status add(const fs::path& source)
    {
        m_counts = {};
        const Status added = addSource(source, true);
        const Status last = addWaiting(); // Also those before an error.
        return added ? last : added;
    }

    const AddedCounts& counts() const { return m_counts; } ///< Counts of the last source.
    bool hasProblems() const { return m_hasProblems; } ///< True if a part of a source could not be read.

private:
    Status addSource(const fs::path& source, bool mayBeList)
    {
        std::error_code error;
        const bool isFile = fs::is_regular_file(source, error);
        if (isFile && source.extension() == ".jsonl")
            return addSummaries(source);
        if (const auto list = isFile && mayBeList ? readList(source) : std::nullopt) {
            for (const fs::path& path : *list)
                if (Status added = addSource(path, false); !added)
                    return added;
            return Done{};
        }
        return addRecordings(source);
    }

    Status addSummaries(const fs::path& file)
    {
        Status done = Done{};
        std::vector<fleet::TraceSummary> waiting;
        const auto addRead = [&] {
            done = addNow(waiting);
            waiting.clear();
            return bool(done);
        };
        const auto take = [&](fleet::TraceSummary&& summary) {
            summary.tags.insert(summary.tags.end(), m_options.tags.begin(), m_options.tags.end());
            waiting.push_back(std::move(summary));
            return waiting.size() < SummariesAtOnce || addRead();
        };
        const auto reject = [&](const Error& error) {
            warn(error.what);
            ++m_counts.rejected;
            m_hasProblems = true;
        };
        const Status read = fleet::readSummaries(file, take, reject);
        if (done && !waiting.empty())
            addRead();
        if (!read && done) {
            warn(read.error().what);
            m_hasProblems = true;
        }
        return done;
    }

    Status addRecordings(const fs::path& source)
    {
        for (const FoundRecording& recording : findRecordings({source}, m_options.reading)) {
            auto summarized = summarizeRecording(recording, m_options.reading);
            if (!summarized)
                return summarized.error();
            m_hasProblems |= summarized->hasProblems();
            summarized->summary.tags = m_options.tags;
            m_waiting.push_back(std::move(summarized->summary));
            if (std::chrono::steady_clock::now() - m_lastAdded < LongestWait)
                continue;
            if (Status added = addWaiting(); !added)
                return added;
        }
        return Done{};
    }

    /// Adds the summaries of recordings that were made since the last call.
    Status addWaiting()
    {
        const Status added = m_waiting.empty() ? Status(Done{}) : addNow(m_waiting);
        m_waiting.clear();
        m_lastAdded = std::chrono::steady_clock::now();
        return added;
    }

    Status addNow(std::span<const fleet::TraceSummary> summaries)
    {
        if (commandStop().stop_requested())
            return Error{Error::Kind::Cancelled, "cancelled"};
        return m_catalogue.add(summaries, [&](Addition addition) { ++m_counts.byAddition[static_cast<std::size_t>(addition)]; });
    }

    /// Returns the paths in a list: a text whose first line names an existing file or folder. Relative paths begin in the list's folder.
    /// nullopt if the file is no list.
    static std::optional<std::vector<fs::path>> readList(const fs::path& file)
    {
        constexpr std::size_t MostPathBytes = 4096;
        std::ifstream stream(file, std::ios::binary);
        std::array<char, MostPathBytes + 2> line{};
        std::vector<fs::path> paths;
        while (stream.getline(line.data(), line.size())) {
            std::string_view text(line.data());
            while (!text.empty() && (text.back() == '\r' || text.back() == ' '))
                text.remove_suffix(1);
            if (text.empty() || text.front() == '#')
                continue;
            std::error_code error;
            const fs::path path = file.parent_path() / fs::path(text);
            if (paths.empty() && !fs::exists(path, error))
                return {};
            paths.push_back(path);
        }
        return stream.eof() && !paths.empty() ? std::optional(std::move(paths)) : std::nullopt;
    }

    const FleetOptions& m_options;
    fleet::Catalogue& m_catalogue;
    AddedCounts m_counts;
    std::vector<fleet::TraceSummary> m_waiting; ///< Summaries of recordings that are not added yet.
    std::chrono::steady_clock::time_point m_lastAdded = std::chrono::steady_clock::now();
    bool m_hasProblems = false;
};

} // namespace

int addToFleet(const FleetOptions& options)
{
    const auto catalogue = fleet::Catalogue::open(options.catalogue);
    if (!catalogue)
        return failWith(catalogue.error());
    SourceAdder adder(options, **catalogue);
    Output output;
    {
        TableWriter table(output, options.format.output, {"source", "new", "updated", "unchanged", "unreadable", "rejected"}, TimeStyle());
        for (const fs::path& source : options.sources) {
            if (const Status added = adder.add(source); !added)
                return failWith(added.error());
            const AddedCounts& counts = adder.counts();
            table.row({source.string(), Cell::count(counts.of(Addition::New)), Cell::count(counts.of(Addition::Updated)),
                       Cell::count(counts.of(Addition::Unchanged)), Cell::count(counts.of(Addition::Unreadable)),
                       Cell::count(counts.rejected)});
        }
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return adder.hasProblems() ? ExitInput : ExitDone;
}

} // namespace helio
