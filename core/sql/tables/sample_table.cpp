#include "core/query/rows/facts.h"
#include "core/sql/engine/time_table.h"
#include "core/sql/tables/certainty.h"
#include "core/sql/tables/table_factory.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace helio::sql {
namespace {

enum SampleColumn : int {
    SampleId,
    SampleTs,
    SampleDur,
    SampleEventName,
    SampleWeight,
    SampleUnit,
    SampleCount,
    SampleUtid,
    SampleCpu,
    SampleMode,
    SampleCallSite,
    SampleUnwindError,
    SampleHost,
    SampleTrace,
    SampleRole,
    SampleProfiler,
    SampleSessionId,
    SampleIsCertain,
};

constexpr std::array SampleColumns{
    Column{"id", ColumnType::Integer, Search::Equal, true},
    Column{"ts", ColumnType::Integer, Search::Ordered},
    Column{"dur"},
    Column{"event", ColumnType::Text, Search::Equal},
    Column{"weight"},
    Column{"unit", ColumnType::Text},
    Column{"samples"},
    Column{"utid"},
    Column{"cpu"},
    Column{"cpu_mode", ColumnType::Text},
    Column{"callsite_id"},
    Column{"unwind_error", ColumnType::Text},
    Column{"host_id"},
    Column{"trace_id"},
    Column{"role", ColumnType::Text, Search::Equal},
    Column{"source", ColumnType::Text, Search::Equal},
    Column{"session_id"},
    CertainColumn,
};

std::string_view textOf(SampleSource::Role role)
{
    switch (role) {
    case SampleSource::Role::Recorded: return "recorded";
    case SampleSource::Role::GroupMember: return "group";
    case SampleSource::Role::Derived: return "derived";
    }
    return {};
}

std::string_view textOf(CodeMode mode)
{
    switch (mode) {
    case CodeMode::Unknown: return {};
    case CodeMode::User: return "user";
    case CodeMode::Kernel: return "kernel";
    case CodeMode::Hypervisor: return "hypervisor";
    case CodeMode::GuestKernel: return "guest_kernel";
    case CodeMode::GuestUser: return "guest_user";
    }
    return {};
}

/// Writes a count of the store, which may be in parts of a number (SampleKind::divisor()).
void writeCount(std::uint64_t count, std::uint64_t divisor, ValueSink sink)
{
    if (divisor > 1)
        return sink.real(static_cast<double>(count) / static_cast<double>(divisor));
    sink.integer(static_cast<std::int64_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::int64_t>::max())));
}

/// All stored samples, with those that were derived from them.
class SampleTable final : public TimeTable<SampleRow> {
public:
    explicit SampleTable(const Recording& recording)
        : m_recording(recording)
    {
    }

    std::span<const Column> columns() const override { return SampleColumns; }
    double estimatedRows() const override { return static_cast<double>(m_recording.samples->total()); }

private:
    bool isWanted(const SampleSource& source, const Filter& filter) const
    {
        const auto allows = [&](int column, std::string_view text) {
            const Value* const wanted = filter.equalValue(column);
            const auto* const wantedText = wanted ? std::get_if<std::string>(wanted) : nullptr;
            return !wantedText || *wantedText == text;
        };
        return allows(SampleEventName, source.description->name) && allows(SampleRole, textOf(source.role))
            && allows(SampleProfiler, m_recording.samples->sessions()[source.session].profiler);
    }

    Rows rows(const Filter& filter) const override
    {
        if ((filter.reads(SampleCallSite) || filter.reads(SampleUnwindError)) && !m_recording.stacks->prepare(filter.stop()))
            return {};
        TimeRange all = rangeOf(m_recording.timeline());
        all.end += Duration(1);
        const TimeRange range = timesAllowed(filter, SampleTs, all);
        if (const auto id = filter.equal(SampleId)) {
            const auto found = m_recording.samples->find(*id);
            if (!found)
                return {};
            const auto collect = [found](TimeRange part, std::vector<SampleRow>& out) {
                if (part.contains(found->ts))
                    out.push_back(*found);
            };
            return {range.clippedTo({found->ts, found->ts + Duration(1)}), all, 1, collect, filter.stop()};
        }
        std::vector<std::uint32_t> wanted;
        std::uint64_t expected = 0;
        for (std::uint32_t i = 0; i < m_recording.samples->sources().size(); ++i) {
            const SampleSource& source = m_recording.samples->sources()[i];
            if (!isWanted(source, filter))
                continue;
            wanted.push_back(i);
            expected += source.count;
        }
        const auto collect = [this, wanted, stop = filter.stop()](TimeRange part, std::vector<SampleRow>& out) {
            for (const std::uint32_t source : wanted)
                m_recording.samples->append(source, part, out, stop);
        };
        return {range, all, expected, collect, filter.stop()};
    }

    void write(const SampleRow& row, int column, ValueSink sink) const override
    {
        const Samples& samples = *m_recording.samples;
        const SampleSource& source = samples.sources()[row.source];
        const SampleSession& session = samples.sessionOf(row);
        const SampleKind& kind = *source.description;
        const HostId host = m_recording.timeline().traces[session.trace].host;
        switch (column) {
        case SampleId: return sink.integer(samples.idOf(row));
        case SampleTs: return sink.integer(nanoseconds(row.ts));
        case SampleDur:
            if (kind.origin == SampleKind::Origin::OffCpu)
                writeCount(row.sample.weight, 1, sink);
            return;
        case SampleEventName: return sink.text(kind.name);
        case SampleWeight: return writeCount(row.sample.weight, kind.divisor(), sink);
        case SampleUnit: return sink.textOrNull(kind.divisor() == 1 ? kind.unit : std::string_view());
        case SampleCount:
            if (kind.origin == SampleKind::Origin::Counted)
                return writeCount(row.sample.weight, kind.divisor(), sink);
            return kind.origin == SampleKind::Origin::Summed ? sink.null() : sink.integer(1);
        case SampleUtid:
            if (const auto thread = samples.threadOf(row))
                sink.integer(*thread);
            return;
        case SampleCpu: return sink.id(cpuId(host, row.sample.cpu));
        case SampleMode: return sink.textOrNull(textOf(row.sample.mode));
        case SampleCallSite:
            if (const auto site = m_recording.stacks->stackOf(row).site)
                sink.integer(*site);
            return;
        case SampleUnwindError: return sink.textOrNull(explanationOf(m_recording.stacks->stackOf(row).end));
        case SampleHost: return sink.integer(host);
        case SampleTrace: return sink.integer(session.trace);
        case SampleRole: return sink.text(textOf(source.role));
        case SampleProfiler: return sink.text(session.profiler);
        case SampleSessionId: return sink.integer(source.session);
        case SampleIsCertain: return writeCertainty(row, host, sink);
        default: return;
        }
    }

    /// Writes whether events were lost during a wait that was derived from events. Recorded samples are certain.
    void writeCertainty(const SampleRow& row, HostId host, ValueSink sink) const
    {
        if (m_recording.samples->sources()[row.source].role != SampleSource::Role::Derived)
            return sink.integer(1);
        const auto longest = static_cast<std::uint64_t>((Timestamp::max() - std::max(row.ts, Timestamp())).count());
        const Duration wait(static_cast<std::int64_t>(std::min(row.sample.weight, longest)));
        writeCertain(m_recording, host, -1, row.ts, row.ts + wait, sink);
    }

    Recording m_recording;
};

} // namespace

extern const TableFactory sampleTable;
const TableFactory sampleTable{
    "sample", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<SampleTable>(recording); }};

} // namespace helio::sql
