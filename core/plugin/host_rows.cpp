// Functions by which a plug-in's analysis reports rows, states, links and warnings.

#include "core/plugin/host_functions.h"

#include <algorithm>
#include <span>

namespace {

using namespace helio;

constexpr std::size_t MostMessages = 100;

/// Returns the style that all built-in analyses use: full height on a CPU, half height if runnable or waiting, a thin line at rest.
StateStyle styleOf(StateCategory meaning)
{
    StateStyle look;
    look.flags |= StateFlag::InHeader;
    if (isRunnable(meaning) || meaning == StateCategory::Waits)
        look.height = 8;
    if (meaning == StateCategory::Unknown) {
        look.height = 5;
        look.drawing = BarPattern::Hatched;
        look.order = RestingOrder;
    } else if (isAtRest(meaning)) {
        look.height = 1;
        look.drawing = BarPattern::Line;
        look.order = RestingOrder + 1;
    }
    return look;
}

std::uint32_t stateSet(heliograph_output* output, const char* id, const heliograph_state* states, std::uint32_t count)
{
    if (!states || count > MostStates)
        return HELIOGRAPH_NONE;
    StateSet set{std::string(textOf(id)), {}, output->title};
    for (const heliograph_state& state : std::span(states, count)) {
        StateKind kind{std::string(textOf(state.name)), StateCategory::None, {}};
        kind.meaning = state.meaning <= static_cast<std::uint32_t>(LastStateCategory) ? static_cast<StateCategory>(state.meaning)
                                                                                      : StateCategory::Unknown;
        kind.style = styleOf(kind.meaning);
        kind.style.color = textOf(state.color);
        kind.style.legend = textOf(state.legend);
        set.states.push_back(std::move(kind));
    }
    const auto made = output->sink.stateSet(set);
    if (!made)
        return HELIOGRAPH_NONE;
    // an earlier set with this id is the one in use
    const auto known = std::ranges::find(output->sets, *made);
    if (known != output->sets.end())
        count = output->statesOfSet[static_cast<std::size_t>(known - output->sets.begin())];
    output->sets.push_back(*made);
    output->statesOfSet.push_back(count);
    return lastOf(output->sets);
}

ValueKind valueKindOf(std::uint32_t value)
{
    return value == HELIOGRAPH_TEXT ? ValueKind::Text : value == HELIOGRAPH_NUMBER ? ValueKind::Number : ValueKind::None;
}

std::uint32_t row(heliograph_output* output, const heliograph_row* row)
{
    if (!row || !isIn(output->sets, row->state_set))
        return HELIOGRAPH_NONE;
    Track track;
    track.view = textOf(row->view);
    track.key = textOf(row->key);
    track.label = textOf(row->label);
    track.kind = "row";
    track.parent = trackOf(*output, row->parent);
    track.states = output->sets[row->state_set];
    track.valueKind = valueKindOf(row->value);
    track.pid = row->pid;
    track.tid = row->tid;
    track.cpu = row->cpu;
    track.sortKey = row->order;
    output->rows.push_back({output->sink.addTrack(std::move(track)), output->statesOfSet[row->state_set]});
    return lastOf(output->rows);
}

std::uint32_t text(heliograph_output* output, const char* text) { return static_cast<std::uint32_t>(output->sink.string(textOf(text))); }

void set(heliograph_output* output, std::int64_t time, std::uint32_t row, std::uint32_t state, std::uint32_t value)
{
    if (isIn(output->rows, row) && state < output->rows[row].states)
        output->sink.set(hostTime(time), output->rows[row].track, State{static_cast<std::uint8_t>(state)}, value);
}

void end(heliograph_output* output, std::int64_t time, std::uint32_t row)
{
    if (isIn(output->rows, row))
        output->sink.end(hostTime(time), output->rows[row].track);
}

std::uint32_t linkKind(heliograph_output* output, const char* id, const char* title, const char* color)
{
    LinkKindInfo info;
    info.id = textOf(id);
    info.title = textOf(title);
    info.color = textOf(color);
    const auto made = output->sink.linkKind(info);
    if (!made)
        return HELIOGRAPH_NONE;
    output->linkKinds.push_back(*made);
    return lastOf(output->linkKinds);
}

void link(heliograph_output* output, std::uint32_t kind, std::uint32_t from, std::int64_t fromTime, std::uint32_t to, std::int64_t toTime)
{
    if (!isIn(output->linkKinds, kind) || !isIn(output->rows, from) || !isIn(output->rows, to))
        return;
    Link link;
    link.kind = output->linkKinds[kind];
    link.from = output->rows[from].track;
    link.to = output->rows[to].track;
    link.fromTime = hostTime(fromTime);
    link.toTime = hostTime(toTime);
    output->sink.link(link);
}

void warn(heliograph_output* output, const char* kind, const char* what)
{
    const std::string word(textOf(kind));
    const auto known = std::ranges::find(output->diagnostics, word, &Diagnostic::kind);
    if (known != output->diagnostics.end())
        ++known->count;
    else if (output->diagnostics.size() < MostMessages)
        output->diagnostics.push_back({Diagnostic::Severity::Warning, word, {}, 0, 1, std::string(textOf(what))});
}

} // namespace

void helio::setRowFunctions(heliograph_host_v1& host)
{
    host.state_set = stateSet;
    host.row = row;
    host.text = text;
    host.set = set;
    host.end = end;
    host.link_kind = linkKind;
    host.link = link;
    host.warn = warn;
}
