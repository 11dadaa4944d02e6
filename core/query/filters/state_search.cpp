#include "core/query/filters/state_search.h"

#include "core/event_model/segment_fields.h"
#include "core/experiment/timeline.h"
#include "core/query/filters/expression_tree.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

namespace helio {
namespace {

/// Collects the hits of a search. If there are more hits than the limit, keeps the longest ones.
class LongestHits {
public:
    explicit LongestHits(std::size_t limit)
        : m_limit(limit)
    {
    }
    void add(const StateHit& hit)
    {
        if (m_isFull && !isLonger(hit, m_shortest))
            return;
        m_hits.push_back(hit);
        if (m_hits.size() >= 2 * m_limit)
            cut();
    }
    std::vector<StateHit> take()
    {
        if (m_hits.size() > m_limit)
            cut();
        std::ranges::stable_sort(m_hits, {}, [](const StateHit& hit) { return hit.range.begin; });
        return std::move(m_hits);
    }

private:
    static bool isLonger(const StateHit& a, const StateHit& b) { return a.range.duration() > b.range.duration(); }
    void cut()
    {
        // A stable sort keeps equally long hits in the order of the rows. Therefore, the result does not depend on when m_hits became
        // too long and cut() was called.
        std::ranges::stable_sort(m_hits, isLonger);
        m_hits.resize(m_limit);
        m_isFull = m_limit > 0;
        if (m_isFull)
            m_shortest = m_hits.back();
    }

    std::size_t m_limit;
    std::vector<StateHit> m_hits;
    StateHit m_shortest;
    bool m_isFull = false;
};

/// Returns the result of a search: the collected hits, and the sums over all hits.
StateFindings findingsOf(LongestHits& hits, const StateSums& sums, const std::stop_token& stop)
{
    StateFindings findings;
    findings.wasStopped = stop.stop_requested();
    findings.all = sums.all();
    findings.groups = sums.groups();
    findings.hits = hits.take();
    return findings;
}

void addName(std::vector<std::string>& names, std::string name)
{
    if (!name.empty() && std::ranges::find(names, name) == names.end())
        names.push_back(std::move(name));
}

/// Returns every name that a row's thread had during the row's lifetime, in the row's trace and in other traces of the same host.
std::vector<std::string> threadNames(const Timeline& timeline, const Row& row)
{
    std::vector<std::string> names;
    const Track* const own = trackOf(timeline, row.ref);
    if (!own || row.tid < 0)
        return names;
    const bool isDepth = own->valueKind == ValueKind::Frame;
    for (std::string& name : namesOf(timeline, isDepth ? TrackRef{row.ref.store, own->parent} : row.ref))
        if (isDepth || row.role == TrackRole::Thread || row.kind == "thread")
            addName(names, std::move(name));
    const std::int32_t tid = hostTidOf(timeline, row.ref);
    if (row.role == TrackRole::Thread || tid < 0)
        return names;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& trace) {
        if (trace.host != row.host)
            return;
        for (const TrackId id : store.tracksOf(TrackRole::Thread, tid)) {
            const Track& thread = store.tracks()[static_cast<std::size_t>(id)];
            const TimeRange life = clockOf(timeline, index)(thread.life);
            if (hostTidOf(timeline, {index, id}) == tid && life.begin <= row.life.end && row.life.begin <= life.end)
                for (std::string& name : namesOf(timeline, {index, id}))
                    addName(names, std::move(name));
        }
    });
    return names;
}

/// Compares several names. True if any name matches; for !=, true if all names differ.
bool compareNames(std::span<const std::string> names, const ExpressionNode& node)
{
    const bool isNegated = node.op == CompareOp::NotEqual;
    const CompareOp op = isNegated ? CompareOp::Equal : node.op;
    const auto compare = [&](std::string_view name) { return compareText(name, op, node.literal); };
    return std::ranges::any_of(names, compare) != isNegated;
}

bool compareId(std::int32_t id, const ExpressionNode& node)
{
    return id >= 0 && node.literal.kind != Literal::Kind::Text && compareNumber(std::int64_t(id), node.op, node.literal.number);
}

bool compareTime(const RowFacts& row, const ExpressionNode& node)
{
    const bool isNumber = node.literal.kind == Literal::Kind::Number;
    const ExactNumber moment = isNumber ? node.literal.number : ExactNumber(nanoseconds(resolve(node.literal.time, row.start)));
    return compareNumber(nanoseconds(*row.time), node.op, moment);
}

std::optional<ExactNumber> numberIn(std::string_view text)
{
    const auto parsed = [&](auto number) -> std::optional<ExactNumber> {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return end == text.data() + text.size() && error == std::errc() ? std::optional<ExactNumber>(number) : std::nullopt;
    };
    if (const auto number = parsed(std::int64_t()))
        return number;
    if (const auto number = parsed(std::uint64_t()))
        return number;
    // Do not parse words such as "inf" as a floating-point number, because they may be names.
    const bool isWord = text.empty() || (text.front() != '-' && (text.front() < '0' || text.front() > '9'));
    return isWord ? std::nullopt : parsed(double());
}

/// Compares a field of a segment, as text or as a number, depending on the literal.
bool compareField(std::string_view fields, std::string_view name, const ExpressionNode& node)
{
    // The namespace is named because expression_parser.cpp, which a unity build compiles together with this file, has its own
    // fieldOf().
    const auto value = helio::fieldOf(fields, name);
    if (!value || node.field.scope == FieldName::Scope::Context || node.literal.kind == Literal::Kind::Time)
        return false;
    if (node.literal.kind == Literal::Kind::Text)
        return compareText(*value, node.op, node.literal);
    const auto number = numberIn(*value);
    return number && compareNumber(*number, node.op, node.literal.number);
}

/// Compares the TID, PID or CPU of a row. If the row has none (e.g. the row of a disk), compares the field `name` of the segment.
bool compareId(std::int32_t id, const char* name, const RowFacts& row, const ExpressionNode& node)
{
    return id >= 0 ? compareId(id, node) : compareField(row.fields, name, node);
}

bool compares(const RowFacts& row, const ExpressionNode& node)
{
    switch (node.field.scope) {
    case FieldName::Scope::Name: return compareNames(row.names.empty() ? std::span(&row.row->label, 1) : std::span(row.names), node);
    case FieldName::Scope::Thread: return !row.threads.empty() && compareNames(row.threads, node);
    case FieldName::Scope::Host: return compareNames(row.host, row.hostName, node.op, node.literal);
    case FieldName::Scope::Cpu: return compareId(row.row->cpu, "cpu", row, node);
    case FieldName::Scope::Tid: return compareId(row.row->tid, "tid", row, node);
    case FieldName::Scope::Pid: return compareId(row.row->pid, "pid", row, node);
    case FieldName::Scope::State: return !row.state.empty() && compareText(row.state, node.op, node.literal);
    case FieldName::Scope::Elapsed: return row.duration && compareNumber(row.duration->count(), node.op, node.literal.number);
    case FieldName::Scope::Time: return row.time && compareTime(row, node);
    default: return compareField(row.fields, node.field.path, node);
    }
}

bool isFound(const RowFacts& row, const std::string& word)
{
    const auto has = [&](std::string_view text) { return containsWord(text, word); };
    if (row.matchesNamesOnly)
        return std::ranges::any_of(row.names, has);
    return has(row.row->label) || has(row.row->id) || std::ranges::any_of(row.names, has) || std::ranges::any_of(row.threads, has);
}

bool holds(const ParsedExpression& expression, std::uint32_t index, const RowFacts& row)
{
    const ExpressionNode& node = expression.nodes()[index];
    switch (node.kind) {
    case ExpressionNode::Kind::Or: return holds(expression, node.left, row) || holds(expression, node.right, row);
    case ExpressionNode::Kind::And: return holds(expression, node.left, row) && holds(expression, node.right, row);
    case ExpressionNode::Kind::Not: return !holds(expression, node.left, row);
    case ExpressionNode::Kind::Compare: return compares(row, node);
    case ExpressionNode::Kind::Anywhere: return isFound(row, node.literal.text);
    }
    return false;
}

bool isMore(const StateGroup& a, const StateGroup& b) { return a.durations.total > b.durations.total; }

/// A row of calls, and its parent row: the thread.
struct CallRow {
    Row row;
    TrackRef thread;
};

/// True if the store has calls. Frames of samples do not count as calls.
bool hasCalls(const Store& store) { return std::ranges::any_of(store.segments().kinds(), &SegmentKind::areCalls); }

std::vector<CallRow> rowsOfCalls(const Timeline& timeline, std::span<const std::string> views)
{
    std::vector<CallRow> found;
    for (const std::string& view : views) {
        const std::vector<Row> all = rows(timeline, view);
        for (const Row& row : all)
            if (row.ref.isValid() && row.valueKind == ValueKind::Frame && hasCalls(storeAt(timeline, row.ref.store)))
                found.push_back({row, row.parent >= 0 ? all[static_cast<std::size_t>(row.parent)].ref : row.ref});
    }
    return found;
}

/// Matches calls on a row: the name is the called function; all other facts come from the row.
class CallMatcher {
public:
    CallMatcher(const Timeline& timeline, const Expression& expression, const Row& row)
        : m_expression(expression)
        , m_row(row)
        , m_facts(row.ref.isValid() ? rowFacts(timeline, row) : RowFacts())
    {
        m_facts.row = &m_row;
        m_facts.names.clear();
        m_facts.matchesNamesOnly = true;
    }
    CallMatcher(const CallMatcher&) = delete;
    CallMatcher& operator=(const CallMatcher&) = delete;

    bool matches(const std::string& function, TimeRange range = {}) { return helio::matches(m_expression, m_facts, function, range); }

private:
    const Expression& m_expression;
    Row m_row;
    RowFacts m_facts;
};

/// Cache of the function names of a store's stacks.
class FunctionNames {
public:
    FunctionNames(const Timeline& timeline, StoreIndex store)
        : m_timeline(timeline)
        , m_store(store)
    {
    }
    const std::string& of(std::uint32_t stack)
    {
        const auto [it, isNew] = m_names.try_emplace(stack);
        if (isNew)
            it->second = frameText(m_timeline, m_store, StackId{stack});
        return it->second;
    }

private:
    const Timeline& m_timeline;
    StoreIndex m_store;
    std::unordered_map<std::uint32_t, std::string> m_names;
};

} // namespace

RowFacts rowFacts(const Timeline& timeline, const Row& row)
{
    RowFacts facts{&row, namesOf(timeline, row.ref), {}};
    facts.threads = threadNames(timeline, row);
    // Use the names of the thread for a row of frames, because the label of such a row is a number.
    if (row.valueKind == ValueKind::Frame)
        facts.names = facts.threads;
    if (row.host < timeline.hosts.size()) {
        facts.host = timeline.hosts[row.host].label;
        facts.hostName = timeline.hosts[row.host].look.name;
    }
    facts.start = timeline.range.begin;
    return facts;
}

namespace {

/// True if the expression matches an interval. Requires: facts.state is set.
bool matchesNamed(const Expression& expression, const Timeline& timeline, RowFacts& facts, const Interval& interval)
{
    if (facts.row->valueKind == ValueKind::Frame)
        return matches(expression, facts, frameText(timeline, facts.row->ref.store, StackId{interval.value}), interval.range);
    facts.duration = interval.range.duration();
    facts.time = interval.range.begin;
    return matches(expression, facts);
}

} // namespace

bool matches(const Expression& expression, const Timeline& timeline, RowFacts& facts, const Interval& interval)
{
    const StateKind& state = stateKind(timeline, facts.row->ref, interval.state);
    facts.state = stateName(timeline, facts.row->ref, interval.state);
    if (!state.style.has(StateFlag::NamedByValue))
        return matchesNamed(expression, timeline, facts, interval);
    const std::string value = valueText(timeline, facts.row->ref, interval.value);
    const std::string_view name = std::exchange(facts.state, value);
    const bool isMatch = matchesNamed(expression, timeline, facts, interval);
    // Assign the state's name again: facts.state is a view of `value`, which is destroyed here.
    facts.state = name;
    return isMatch;
}

bool matches(const Expression& expression, RowFacts& facts, std::string_view name, TimeRange range)
{
    facts.duration = lengthOf(range);
    facts.time = range.begin;
    if (name.empty())
        return matches(expression, facts);
    std::vector<std::string> ofRow = std::exchange(facts.names, {std::string(name)});
    const bool isMatch = matches(expression, facts);
    facts.names = std::move(ofRow);
    return isMatch;
}

StateFindings findStates(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                         const std::function<void(double, std::uint64_t)>& onProgress, std::stop_token stop, std::size_t limit)
{
    for (const std::string& view : views)
        readFrameNames(timeline, view, stop);
    std::vector<Row> all;
    std::uint64_t intervals = 1;
    for (const std::string& view : views)
        for (Row& row : rows(timeline, view))
            if (row.ref.isValid()) {
                intervals += row.intervals;
                all.push_back(std::move(row));
            }
    LongestHits keeper(limit);
    StateSums sums;
    std::uint64_t done = 0;
    for (const Row& row : all) {
        if (stop.stop_requested())
            break;
        RowFacts facts = rowFacts(timeline, row);
        forEachRowInterval(
            timeline, row, window,
            [&](const Interval& interval) {
                if (!matches(expression, timeline, facts, interval))
                    return;
                keeper.add({row.ref, interval.range, interval.state, interval.value});
                sums.add(row.ref, facts.state, interval.range.duration());
            },
            stop);
        done += row.intervals;
        if (onProgress)
            onProgress(double(done) / double(intervals), sums.count());
    }
    return findingsOf(keeper, sums, stop);
}

bool matches(const Expression& expression, const RowFacts& row)
{
    const auto& parsed = static_cast<const ParsedExpression&>(expression);
    return row.row && holds(parsed, parsed.root(), row);
}

Duration StateDurations::mean() const { return meanOf(total, count); }

void StateSums::add(TrackRef track, std::string_view state, Duration duration)
{
    if (m_last == m_sums.end() || m_last->first.second != track || m_last->first.first != state)
        m_last = m_sums.try_emplace(Key(state, track)).first;
    Sum& sum = m_last->second;
    StateDurations& known = sum.known;
    known.min = known.count == 0 ? duration : std::min(known.min, duration);
    known.max = std::max(known.max, duration);
    known.total += duration;
    ++known.count;
    if (++m_count <= MostDurations)
        sum.durations.push_back(duration.count());
}

StateDurations StateSums::finished(std::span<const Sum* const> parts) const
{
    StateDurations all;
    std::vector<std::int64_t> durations;
    for (const Sum* part : parts) {
        const StateDurations& it = part->known;
        all.min = all.count == 0 ? it.min : std::min(all.min, it.min);
        all.max = std::max(all.max, it.max);
        all.total += it.total;
        all.count += it.count;
        durations.insert(durations.end(), part->durations.begin(), part->durations.end());
    }
    if (all.count > 0 && durations.size() == all.count) {
        all.p50 = nearestRank(durations, 50);
        all.p99 = nearestRank(durations, 99);
    }
    return all;
}

StateDurations StateSums::all() const
{
    std::vector<const Sum*> parts;
    for (const auto& [key, sum] : m_sums)
        parts.push_back(&sum);
    return finished(parts);
}

std::vector<StateGroup> StateSums::groups() const
{
    // Sums of each state: the first element of a list is the sum over all rows; the sum of each single row follows.
    std::vector<std::vector<StateGroup>> states;
    for (auto it = m_sums.begin(); it != m_sums.end();) {
        const std::string& state = it->first.first;
        std::vector<StateGroup> group{{state, {}, {}}};
        std::vector<const Sum*> parts;
        for (; it != m_sums.end() && it->first.first == state; ++it) {
            const Sum* part = &it->second;
            parts.push_back(part);
            group.push_back({state, it->first.second, finished({&part, 1})});
        }
        group.front().durations = finished(parts);
        std::stable_sort(group.begin() + 1, group.end(), isMore);
        states.push_back(std::move(group));
    }
    std::stable_sort(states.begin(), states.end(), [](const auto& a, const auto& b) { return isMore(a.front(), b.front()); });
    std::vector<StateGroup> all;
    for (auto& group : states)
        std::move(group.begin(), group.end(), std::back_inserter(all));
    return all;
}

bool searchesFunctions(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, std::stop_token stop)
{
    CallMatcher matcher(timeline, expression, Row());
    if (matcher.matches({}))
        return false;
    for (const std::string& view : views)
        readFrameNames(timeline, view, stop);
    std::map<StoreIndex, std::size_t> stacks; // Number of call stacks by store.
    for (const CallRow& it : rowsOfCalls(timeline, views))
        stacks[it.row.ref.store] = storeAt(timeline, it.row.ref.store).stacks().nodes().size();
    for (const auto& [store, count] : stacks)
        for (std::size_t stack = 1; stack < count && !stop.stop_requested(); ++stack)
            if (matcher.matches(frameText(timeline, store, StackId{static_cast<std::uint32_t>(stack)})))
                return true;
    return false;
}

StateFindings findCalls(const Timeline& timeline, const Expression& expression, std::span<const std::string> views, TimeRange window,
                        const std::function<void(double, std::uint64_t)>& onProgress, std::stop_token stop, std::size_t limit)
{
    for (const std::string& view : views)
        readFrameNames(timeline, view, stop);
    const std::vector<CallRow> all = rowsOfCalls(timeline, views);
    std::uint64_t intervals = 1;
    for (const CallRow& it : all)
        intervals += it.row.intervals;
    LongestHits keeper(limit);
    StateSums sums;
    std::map<StoreIndex, FunctionNames> names;
    std::uint64_t done = 0;
    for (const CallRow& it : all) {
        if (stop.stop_requested())
            break;
        const TrackRef track = it.row.ref;
        FunctionNames& functions = names.try_emplace(track.store, timeline, track.store).first->second;
        CallMatcher matcher(timeline, expression, it.row);
        forEachRowInterval(
            timeline, it.row, window,
            [&](const Interval& interval) {
                const std::string& function = functions.of(interval.value);
                if (!matcher.matches(function, interval.range))
                    return;
                keeper.add({track, interval.range, interval.state, interval.value});
                sums.add(it.thread, function, interval.range.duration());
            },
            stop);
        done += it.row.intervals;
        if (onProgress)
            onProgress(double(done) / double(intervals), sums.count());
    }
    StateFindings findings = findingsOf(keeper, sums, stop);
    findings.areCalls = true;
    return findings;
}

} // namespace helio
