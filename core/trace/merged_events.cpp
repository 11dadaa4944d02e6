#include "core/trace/merged_events.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace helio {

/// A stream that is being read: its current batch and the number of records consumed.
struct MergedEvents::Source {
    std::unique_ptr<EventStream> stream;
    EventBatch batch;
    StreamPosition begin; ///< Position of the current batch in the stream; kept after the stream's end.
    /// Index of the head (the next event) in `batch`; at the stream's end, the batch's number of records. For the source of the current
    /// run, the index is only updated when the run ends.
    std::uint32_t index = 0;
    bool isAtEnd = false;
};

namespace {

/// Queue of losses, ordered by the start or the end of their gap, which the constructor's argument selects. Losses with equal times are
/// ordered by stream, then by the order of push(). Implemented as a binary heap, because thousands of losses may wait.
class LossQueue {
public:
    explicit LossQueue(HostTimestamp HostRange::*key)
        : m_key(key)
    {
    }

    bool isEmpty() const { return m_heap.empty(); }
    /// Returns the earliest time in the queue: a start or an end of a gap, as the constructor's argument selects. HostTimestamp::max() if
    /// the queue is empty.
    HostTimestamp first() const { return isEmpty() ? HostTimestamp::max() : m_heap.front().time; }

    void push(const Loss& loss)
    {
        m_heap.push_back({loss.range.*m_key, m_pushed++, loss});
        std::push_heap(m_heap.begin(), m_heap.end(), isLater);
    }

    std::vector<Loss> takeUntil(HostTimestamp until)
    {
        std::vector<Loss> taken;
        while (!isEmpty() && first() <= until) {
            taken.push_back(m_heap.front().loss);
            std::pop_heap(m_heap.begin(), m_heap.end(), isLater);
            m_heap.pop_back();
        }
        return taken;
    }

private:
    struct Waiting {
        HostTimestamp time;
        std::uint64_t number;
        Loss loss;
    };
    static bool isLater(const Waiting& a, const Waiting& b)
    {
        return std::tuple(a.time, a.loss.stream, a.number) > std::tuple(b.time, b.loss.stream, b.number);
    }

    HostTimestamp HostRange::*m_key;
    std::vector<Waiting> m_heap;
    std::uint64_t m_pushed = 0;
};

} // namespace

class MergedEvents::Impl {
public:
    Impl(const Trace& trace, std::span<const StreamPosition> from, std::stop_token stop);

    void start();
    /// Consumes the events before index `index` in the batch of the winner, which is the source with the earliest event. Then finds the new
    /// winner: compares the next event of this source with the events along the path from the source's leaf to the root of the tournament
    /// tree. Returns true if the same source wins again.
    bool advance(std::uint32_t index);

    /// Source with the earliest event; nullptr at the end.
    const Source* turn() const { return m_isAtEnd ? nullptr : &m_sources[m_winner]; }
    std::uint32_t winner() const { return m_winner; }
    /// Returns the exclusive end of the winner's run. The winner (the source with the earliest event) may return all its events before this
    /// time without comparing them with the events of other sources.
    HostTimestamp runLimit() const;

    LossQueue& losses() { return m_losses; }
    LossQueue& unopened() { return m_unopened; }
    /// Returns the earliest time at which a known loss must be reported; HostTimestamp::max() if there is no loss, which is the usual case.
    HostTimestamp nextLoss() const { return m_nextLoss; }
    void findNextLoss() { m_nextLoss = std::min(m_losses.first(), m_unopened.first()); }
    std::vector<StreamPosition> positions(std::uint32_t winnersIndex) const;
    std::vector<Diagnostic> diagnostics() const;

    bool hasStarted = false;

private:
    /// Sort key of a source by the time of its next event. A source at its stream's end sorts after all events, also after events at the
    /// maximum time.
    struct Key {
        static constexpr std::uint64_t End = std::uint64_t{1} << 32;

        std::int64_t time = 0;
        /// Index of the source in the low 32 bits. The bit End is also set if the source's stream has ended; the key then sorts after all
        /// events.
        std::uint64_t order = 0;
        bool operator<(const Key& o) const { return time < o.time || (time == o.time && order < o.order); }
        std::uint32_t source() const { return static_cast<std::uint32_t>(order); }
        bool isEnd() const { return order >= End; }
    };

    void startSource(std::uint32_t index);
    void refill(Source& source);
    void collectLosses(EventBatch& batch);
    Key keyOf(std::uint32_t source) const;
    Key play(std::size_t node);
    /// Returns the lowest inner node above the winner's leaf in the tournament tree.
    std::size_t nodeAboveWinner() const { return (m_winner + m_loser.size()) / 2; }

    const std::stop_token m_stop;
    bool m_isStopped = false;
    bool m_isAtEnd = true; ///< True at the end of all streams, and before start().
    std::vector<Source> m_sources;
    /// Tournament tree: for each inner node, the key of the source that lost the match at that node. The children of node n are 2n and 2n +
    /// 1; the leaves come after the inner nodes.
    std::vector<Key> m_loser;
    std::uint32_t m_winner = 0;
    LossQueue m_losses{&HostRange::end}; ///< Losses found and not yet returned by takeLosses(), ordered by the end of the gap.
    LossQueue m_unopened{&HostRange::begin}; ///< Losses found and not yet returned by takeOpenedLosses(), ordered by the start of the gap.
    HostTimestamp m_nextLoss = HostTimestamp::max(); ///< Earliest time of a loss in m_losses or m_unopened.
};

MergedEvents::Impl::Impl(const Trace& trace, std::span<const StreamPosition> from, std::stop_token stop)
    : m_stop(std::move(stop))
    , m_sources(trace.streams().size())
    , m_loser(m_sources.size())
{
    for (std::uint32_t i = 0; i < m_sources.size(); ++i) {
        m_sources[i].begin = i < from.size() ? from[i] : StreamPosition{};
        m_sources[i].index = m_sources[i].begin.skip;
        m_sources[i].batch.most = EventBatch::batchSizeFor(m_sources.size());
        m_sources[i].stream = trace.openStream(i, m_sources[i].begin);
    }
}

void MergedEvents::Impl::start()
{
    hasStarted = true;
    for (std::uint32_t i = 0; i < m_sources.size(); ++i)
        startSource(i);
    if (m_sources.empty())
        return;
    const Key best = m_sources.size() > 1 ? play(1) : keyOf(0);
    m_winner = best.source();
    m_isAtEnd = m_isStopped || best.isEnd();
}

/// Reads batches of the source up to the first event that StreamPosition::skip does not drop.
void MergedEvents::Impl::startSource(std::uint32_t index)
{
    Source& source = m_sources[index];
    std::uint32_t skip = source.index;
    source.isAtEnd = !source.stream;
    refill(source);
    while (!source.isAtEnd && skip >= source.batch.records.size()) {
        skip -= static_cast<std::uint32_t>(source.batch.records.size());
        // Drop losses before the saved position: they were already returned before the position was saved.
        source.batch.losses.clear();
        source.index = static_cast<std::uint32_t>(source.batch.records.size());
        refill(source);
    }
    if (!source.isAtEnd)
        source.index = skip;
}

/// Reads batches of the source until a batch has events or the stream ends.
void MergedEvents::Impl::refill(Source& source)
{
    while (!source.isAtEnd) {
        collectLosses(source.batch);
        m_isStopped = m_isStopped || m_stop.stop_requested();
        if (m_isStopped || !source.stream->next(source.batch)) {
            collectLosses(source.batch);
            source.batch.records = {}; // Frees memory: in traces of thousands of streams, most streams end early.
            source.isAtEnd = true;
        } else if (!source.batch.records.empty()) {
            source.begin = source.batch.begin;
            source.index = 0;
            return;
        }
    }
}

void MergedEvents::Impl::collectLosses(EventBatch& batch)
{
    for (const Loss& loss : batch.losses) {
        m_losses.push(loss);
        m_unopened.push(loss);
    }
    if (!batch.losses.empty())
        findNextLoss();
    batch.clear();
}

MergedEvents::Impl::Key MergedEvents::Impl::keyOf(std::uint32_t source) const
{
    const Source& s = m_sources[source];
    return s.isAtEnd ? Key{std::numeric_limits<std::int64_t>::max(), source | Key::End}
                     : Key{nanoseconds(s.batch.records[s.index].time), source};
}

/// Fills the tournament tree below `node`: at each node, the earlier of the two heads wins and the later one is stored in m_loser. Returns
/// the head that wins at `node`.
MergedEvents::Impl::Key MergedEvents::Impl::play(std::size_t node)
{
    if (node >= m_sources.size())
        return keyOf(static_cast<std::uint32_t>(node - m_sources.size()));
    const Key left = play(2 * node);
    const Key right = play(2 * node + 1);
    m_loser[node] = std::max(left, right);
    return std::min(left, right);
}

[[gnu::always_inline]] inline bool MergedEvents::Impl::advance(std::uint32_t index)
{
    Source& source = m_sources[m_winner];
    source.index = index;
    if (index == source.batch.records.size())
        refill(source);
    Key key = keyOf(m_winner);
    for (std::size_t node = nodeAboveWinner(); node > 0; node /= 2) {
        if (m_loser[node] < key)
            std::swap(m_loser[node], key);
    }
    const bool winsAgain = key.source() == m_winner;
    m_winner = key.source();
    m_isAtEnd = m_isStopped || key.isEnd();
    return winsAgain;
}

/// Returns the time of the runner-up, the second earliest head. It lost directly to the winner, so it is stored at a node between the
/// winner's leaf and the root of the tournament tree.
[[gnu::always_inline]] inline HostTimestamp MergedEvents::Impl::runLimit() const
{
    Key next{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::uint64_t>::max()};
    for (std::size_t node = nodeAboveWinner(); node > 0; node /= 2)
        next = std::min(next, m_loser[node]);
    const bool winsTies = m_winner < next.order && next.time < std::numeric_limits<std::int64_t>::max();
    return hostTime(winsTies ? next.time + 1 : next.time);
}

std::vector<StreamPosition> MergedEvents::Impl::positions(std::uint32_t winnersIndex) const
{
    std::vector<StreamPosition> all;
    for (const Source& source : m_sources) {
        all.push_back(source.begin);
        all.back().skip = source.index;
    }
    if (!m_isAtEnd)
        all[m_winner].skip = winnersIndex;
    return all;
}

std::vector<Diagnostic> MergedEvents::Impl::diagnostics() const
{
    std::vector<Diagnostic> all;
    for (const Source& source : m_sources) {
        if (!source.stream)
            continue;
        for (Diagnostic& diagnostic : source.stream->diagnostics())
            all.push_back(std::move(diagnostic));
    }
    return all;
}

MergedEvents::MergedEvents(const Trace& trace, std::span<const StreamPosition> from, std::stop_token stop)
    : m_types(trace.eventTypes())
    , m_impl(std::make_unique<Impl>(trace, from, std::move(stop)))
{
}

MergedEvents::~MergedEvents() = default;

bool MergedEvents::startRun()
{
    // True if the previous run had more than one event. After a run of one event, the limit of the next run is not computed: with
    // hundreds of streams, nearly all runs have one event.
    bool isLong = m_next - m_runBegin > 1;
    if (!m_impl->hasStarted)
        m_impl->start();
    else if (const Source* last = m_impl->turn())
        isLong |= m_impl->advance(static_cast<std::uint32_t>(m_next - last->batch.records.data()));
    const Source* const source = m_impl->turn();
    if (!source) {
        m_event = {};
        m_runBegin = m_next = m_runEnd = nullptr;
        m_hasLosses = !m_impl->losses().isEmpty();
        m_hasOpenedLosses = false;
        return false;
    }
    const EventBatch& batch = source->batch;
    m_runBegin = batch.records.data() + source->index;
    m_runEnd = batch.records.data() + batch.records.size();
    m_next = m_runBegin + 1;
    m_event.record = m_runBegin;
    m_event.type = &m_types[m_runBegin->type];
    m_event.packet = batch.packet;
    m_event.stream = m_impl->winner();
    m_isOrdered = batch.isOrdered;
    const HostTimestamp time = m_runBegin->time;
    m_runLimit = isLong ? m_impl->runLimit() : time;
    m_hasLosses = false;
    m_hasOpenedLosses = false;
    if (m_impl->nextLoss() <= std::max(time, m_runLimit)) [[unlikely]]
        limitByLosses(time);
    return true;
}

void MergedEvents::limitByLosses(HostTimestamp time)
{
    const HostTimestamp lossEnd = m_impl->losses().first();
    const HostTimestamp lossBegin = m_impl->unopened().first();
    m_hasLosses = lossEnd <= time;
    m_hasOpenedLosses = lossBegin <= time;
    if (!m_hasLosses)
        m_runLimit = std::min(m_runLimit, lossEnd);
    if (!m_hasOpenedLosses)
        m_runLimit = std::min(m_runLimit, lossBegin);
}

EventRun MergedEvents::nextRun(std::size_t most)
{
    if (!next())
        return {};
    const EventRecord* const first = m_event.record;
    // If losses are due, the run has only one event: the caller must first take these losses. Only then is the time of the next loss known,
    // at which a longer run would have to end.
    const bool mayGoOn = m_next != m_runEnd && m_next->time < m_runLimit && !m_hasLosses && !m_hasOpenedLosses;
    if (mayGoOn)
        m_next = endOfRun(most - 1);
    return {{first, m_next}, m_event.packet, m_event.stream, m_isOrdered};
}

/// Returns the end of the run that starts at m_next: at most `most` events, all before m_runLimit. The search starts at m_next and enlarges
/// its step by a factor of 4, because runs are short.
const EventRecord* MergedEvents::endOfRun(std::size_t most) const
{
    const std::size_t count = std::min(static_cast<std::size_t>(m_runEnd - m_next), most);
    const auto isBefore = [limit = m_runLimit](const EventRecord& record) { return record.time < limit; };
    if (!m_isOrdered)
        return std::find_if_not(m_next, m_next + count, isBefore);
    std::size_t known = 0;
    std::size_t reach = 4;
    for (; reach < count && isBefore(m_next[reach]); reach *= 4)
        known = reach + 1;
    return std::partition_point(m_next + known, m_next + std::min(reach, count), isBefore);
}

std::vector<Loss> MergedEvents::takeLosses()
{
    if (!m_hasLosses)
        return {};
    m_hasLosses = false;
    auto losses = m_impl->losses().takeUntil(m_event.record ? m_event.time() : HostTimestamp::max());
    m_impl->findNextLoss();
    m_runLimit = std::min(m_runLimit, m_impl->losses().first());
    return losses;
}

std::vector<Loss> MergedEvents::takeOpenedLosses()
{
    if (!m_hasOpenedLosses)
        return {};
    m_hasOpenedLosses = false;
    auto losses = m_impl->unopened().takeUntil(m_event.time());
    m_impl->findNextLoss();
    m_runLimit = std::min(m_runLimit, m_impl->unopened().first());
    return losses;
}

std::vector<StreamPosition> MergedEvents::positions() const
{
    const Source* const source = m_event.record ? m_impl->turn() : nullptr;
    return m_impl->positions(source ? static_cast<std::uint32_t>(m_event.record - source->batch.records.data()) : 0);
}

std::vector<Diagnostic> MergedEvents::diagnostics() const { return m_impl->diagnostics(); }

} // namespace helio
