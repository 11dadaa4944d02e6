#include "core/xml_analysis/output/call_rows.h"

#include "core/base/natural_order.h"
#include "core/xml_analysis/output/tree_rows.h"

#include <algorithm>
#include <charconv>

namespace helio::xml {
namespace {

std::optional<std::int64_t> integerIn(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

CallRows::CallRows(const CallStacks& stacks, const AttributeTree& tree, PathWatch& paths, StateSink& sink)
    : m_group(stacks.groups.empty() ? nullptr : &stacks.groups.front())
    , m_id(stacks.id)
    , m_tree(tree)
    , m_paths(paths)
    , m_sink(sink)
    , m_out{sink, {}, {}, 0, {}}
{
    const auto states = sink.stateSet(calls::callStates());
    SegmentKind kind{"call", "Calls", "Function", "Self", "ns"};
    kind.hasFrames = true;
    kind.areCalls = true;
    const auto segments = sink.segments().addKind(kind);
    if (!states || !segments) { // Write no rows and no segments, because the store has no room for another state set or segment kind.
        m_group = nullptr;
        return;
    }
    m_out.states = *states;
    m_out.calls = *segments;
    Module module; // The module has no path, because only the names of functions are known.
    module.path = stacks.id;
    m_module = sink.modules().add(std::move(module));
    if (m_group && !m_group->levels.empty())
        watchLevel(0, Root, {}, {});
}

void CallRows::watchLevel(std::size_t level, Quark base, const Wildcards& wildcards, std::vector<Level> above)
{
    const bool isLast = level == m_group->levels.size();
    std::vector<std::string> path = isLast ? std::vector<std::string>{"CallStack"} : m_group->levels[level];
    m_paths.watch(base, std::move(path), wildcards, [this, level, isLast, above](Quark found, const Wildcards& all) {
        if (isLast)
            return addThread(found, above);
        std::vector<Level> levels = above;
        levels.push_back({found, NoTrack});
        watchLevel(level + 1, found, all, std::move(levels));
    });
}

TrackId CallRows::groupRow(Level& level, TrackId parent)
{
    const auto [known, isNew] = m_groups.try_emplace(level.attribute, NoTrack);
    if (!isNew)
        return known->second;
    Track row;
    row.view = m_id;
    row.role = TrackRole::Group;
    row.kind = "group";
    row.key = "group:" + pathOf(m_tree, level.attribute);
    row.label = m_tree.texts()[m_tree.name(level.attribute)];
    row.states = m_out.states;
    row.parent = parent;
    row.sortKey = static_cast<std::int32_t>(level.attribute);
    m_rows.push_back(known->second = m_sink.addTrack(std::move(row)));
    return known->second;
}

std::optional<std::int32_t> CallRows::tidOf(const std::vector<Level>& levels) const
{
    if (!m_group->threadLevel || *m_group->threadLevel < 0 || std::size_t(*m_group->threadLevel) >= levels.size())
        return {};
    const Quark attribute = levels[std::size_t(*m_group->threadLevel)].attribute;
    const Value& value = m_tree.value(attribute);
    const auto number = m_group->isThreadByValue ? (value.isInteger() ? std::optional(value.integer()) : std::nullopt)
                                                 : integerIn(m_tree.texts()[m_tree.name(attribute)]);
    return number && *number >= 0 && *number <= INT32_MAX ? std::optional(static_cast<std::int32_t>(*number)) : std::nullopt;
}

void CallRows::addThread(Quark stack, const std::vector<Level>& levels)
{
    if (levels.empty() || m_threads.contains(stack))
        return;
    TrackId parent = NoTrack;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
        Level level = levels[i];
        parent = groupRow(level, parent);
    }
    const auto tid = tidOf(levels);
    const Quark thread = levels.back().attribute;
    std::string key = tid ? "calls:" + std::to_string(*tid) : "calls:" + pathOf(m_tree, thread);
    if (const int count = ++m_keys[key]; count > 1)
        key += "#" + std::to_string(count);
    Track row;
    row.view = m_id;
    row.role = TrackRole::Group;
    row.kind = "thread";
    row.key = key;
    row.label = m_tree.texts()[m_tree.name(thread)];
    row.states = m_out.states;
    row.tid = tid.value_or(-1);
    row.parent = parent;
    row.sortKey = static_cast<std::int32_t>(thread);
    const TrackId track = m_sink.addTrack(std::move(row));
    m_rows.push_back(track);
    m_threads[stack].stack = std::make_unique<calls::CallStack>(track, std::move(key), m_out);
}

void CallRows::onChange(HostTimestamp from, Quark attribute, const Value& value)
{
    const auto thread = m_threads.find(m_tree.parent(attribute));
    if (thread == m_threads.end())
        return;
    if (const auto depth = integerIn(m_tree.texts()[m_tree.name(attribute)]))
        onDepth(from, thread->second, *depth, value);
}

/// Ends the calls at this depth and deeper. Then begins a call of the function `value` at this depth, unless `value` is null.
void CallRows::onDepth(HostTimestamp at, Thread& thread, std::int64_t depth, const Value& value)
{
    while (!thread.open.empty() && thread.open.rbegin()->first >= depth) {
        const RecordedFunction function = functionOf(thread.open.rbegin()->second);
        thread.stack->leave(at, function.source, true, function.key);
        thread.open.erase(std::prev(thread.open.end()));
    }
    if (value.isNull())
        return;
    thread.open[depth] = value;
    thread.stack->enter(at, functionOf(value));
}

RecordedFunction CallRows::functionOf(const Value& name)
{
    const std::string text = m_tree.texts().printed(name);
    const auto [known, isNew] = m_functions.try_emplace(text);
    if (isNew)
        known->second = m_sink.modules().addPlace(m_module, {text, {}, false, {}, 0});
    return {{m_module, false, known->second}, known->second, 1, 0};
}

void CallRows::truncate(HostTimestamp at)
{
    for (auto& [attribute, thread] : m_threads) {
        thread.stack->truncate(at);
        thread.open.clear();
    }
}

void CallRows::putIntoOrder()
{
    std::ranges::stable_sort(m_rows, [this](TrackId a, TrackId b) { return NaturalOrder()(m_sink.track(a).label, m_sink.track(b).label); });
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_sink.track(m_rows[i]).sortKey = static_cast<std::int32_t>(i);
}

void CallRows::finish(HostTimestamp at)
{
    putIntoOrder();
    for (auto& [attribute, thread] : m_threads)
        thread.stack->finish(at);
}

} // namespace helio::xml
