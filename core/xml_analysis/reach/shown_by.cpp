#include "core/xml_analysis/reach/shown_by.h"

#include "core/xml_analysis/reach/reachability.h"
#include "core/xml_analysis/reach/shape.h"

#include <algorithm>
#include <utility>

namespace helio::xml {
namespace {

constexpr std::size_t MostNamed = 4;
/// Maximum number of comparisons per view between the analysis's changes of attributes and the view's paths; handwritten files need fewer.
constexpr std::size_t MostLookedAt = 200'000;
constexpr std::size_t MostEntries = 200;

/// Joins words and limits their number: "a, b or 3 more" if `last` is " or ".
std::string listed(const std::vector<std::string>& words, const char* last)
{
    std::string all;
    const std::size_t shown = words.size() > MostNamed + 1 ? MostNamed : words.size();
    for (std::size_t i = 0; i < shown; ++i)
        all += (i == 0 ? "" : i + 1 < words.size() ? ", " : last) + words[i];
    return shown < words.size() ? all + last + std::to_string(words.size() - shown) + " more" : all;
}

void addOnce(std::vector<std::string>& words, std::string word)
{
    if (std::ranges::find(words, word) == words.end())
        words.push_back(std::move(word));
}

/// Returns the pattern as written in a file, for example "sched_*".
std::string written(const std::string& pattern)
{
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i)
        if (pattern.compare(i, 2, ".*") != 0)
            text += pattern[i];
    return text;
}

/// Finds the events that may set the attributes that a view shows.
class Setters {
public:
    Setters(const Program& program, const std::vector<ShownPath>& shown)
        : m_program(program)
    {
        for (const Change& change : program.changes)
            m_sets.push_back(change.path != NoIndex && isShown(change, shown));
        for (const Action& action : program.actions)
            m_acts.push_back(actsAtOnce(action));
        for (const EventHandler& handler : program.handlers)
            if (std::ranges::any_of(handler.changes, [this](ChangeIndex it) { return sets(it); }))
                add(handler.events);
        for (const Fsm& fsm : program.fsms)
            addOf(fsm);
    }
    const std::vector<std::string>& events() const { return m_events; }

private:
    bool isShown(const Change& change, const std::vector<ShownPath>& shown) const
    {
        AttributePattern shape = shapeOf(m_program.paths[change.path]);
        const auto meets = [&](const ShownPath& path) { return path.canMeet(shape); };
        if (std::ranges::any_of(shown, meets))
            return true;
        if (m_program.values[change.value].stack != StackUse::Push)
            return false;
        shape.emplace_back();
        return std::ranges::any_of(shown, meets);
    }
    bool sets(ChangeIndex index) const
    {
        const Change& it = m_program.changes[index];
        return m_sets[index] || (it.then != NoIndex && sets(it.then)) || (it.otherwise != NoIndex && sets(it.otherwise));
    }
    /// True if the action changes a shown attribute. Requires: m_acts has entries for the actions inside this action, which precede it in
    /// the program's list.
    bool actsAtOnce(const Action& action) const
    {
        return std::ranges::any_of(action.parts, [this](const ActionOperation& part) {
            return part.kind == ActionOperation::Kind::Change
                ? sets(part.index)
                : part.kind == ActionOperation::Kind::Action && part.index < m_acts.size() && m_acts[part.index];
        });
    }
    bool acts(const std::vector<ActionIndex>& actions) const
    {
        return std::ranges::any_of(actions, [this](ActionIndex it) { return m_acts[it]; });
    }
    void addOf(const Fsm& fsm)
    {
        for (const FsmState& state : fsm.states)
            for (const Transition& it : state.transitions) {
                const FsmState& to = it.target == NoIndex ? state : fsm.states[it.target];
                if (acts(state.onExit) || acts(it.actions) || acts(to.onEntry))
                    add(it.events);
            }
    }
    void add(const EventNames& events)
    {
        if (events.patterns.empty())
            addOnce(m_events, "any event");
        for (const std::string& pattern : events.patterns)
            addOnce(m_events, written(pattern));
    }

    const Program& m_program;
    std::vector<bool> m_sets; ///< Indexed by change (ChangeIndex): true if the change itself sets an attribute that the view shows.
    std::vector<bool> m_acts; ///< Indexed by action: true if the action contains a change that sets an attribute that the view shows.
    std::vector<std::string> m_events;
};

std::string textOf(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : "/") + name;
    return text;
}

/// Path to the attributes of each entry, for example "CPUs/*/Frequency". Entries that show nothing are left out.
using EntryPaths = std::vector<std::pair<const ViewEntry*, std::string>>;

void addPaths(const std::vector<ViewEntry>& entries, const std::string& above, EntryPaths& paths)
{
    for (const ViewEntry& it : entries) {
        const std::string own = it.path.empty() ? "*" : textOf(it.path);
        const std::string path = above.empty() || !it.analysis.empty() ? own : above + "/" + own;
        if (it.display) {
            std::vector<std::string> names = it.display->names;
            if (!it.display->query.empty())
                names.push_back("*");
            const std::string shown = textOf(names);
            paths.emplace_back(&it, it.display->isAbsolute ? shown : shown.empty() ? path : path + "/" + shown);
        }
        addPaths(it.entries, path, paths);
    }
}

EntryPaths pathsOf(const View& view)
{
    EntryPaths paths;
    addPaths(view.entries, {}, paths);
    return paths;
}

std::size_t countOf(const std::vector<ViewEntry>& entries)
{
    std::size_t count = entries.size();
    for (const ViewEntry& it : entries)
        count += countOf(it.entries);
    return count;
}

bool isOfMachines(const Program& program, const std::vector<ShownPath>& shown)
{
    const Reachability reach(program, [](const EventNames&) { return true; });
    return std::ranges::any_of(shown, [&](const ShownPath& path) {
        return std::ranges::any_of(reach.values(), [&](const AttributePattern& shape) { return path.canMeet(shape); });
    });
}

std::string describeSetters(const Program& program, const std::vector<ShownPath>& shown, const char* set)
{
    if ((program.changes.size() + 1) * (shown.size() + 1) > MostLookedAt || program.changes.size() > MostLookedAt / 100)
        return {};
    const std::vector<std::string> events = Setters(program, shown).events();
    if (!events.empty())
        return " They are " + std::string(set) + " at "
            + (events.size() > 1                   ? "the events "
                   : events.front() == "any event" ? ""
                                                   : "the event ")
            + listed(events, " and ") + ".";
    return isOfMachines(program, shown) ? " They are set while a scenario runs, and no scenario ran."
                                        : " No rule of the analysis sets them.";
}

} // namespace

std::string describeShownAttributes(const Program& program, const View& view)
{
    if (countOf(view.entries) > MostEntries)
        return {};
    std::vector<std::string> paths;
    for (const auto& [entry, path] : pathsOf(view))
        addOnce(paths, path);
    const bool areCurves = view.kind == View::Kind::Curves;
    if (paths.empty())
        return "No entry has a display element, so nothing is drawn.";
    std::vector<ShownPath> shown;
    for (const ShownAttributes& entry : findShownAttributes(view, program.id))
        shown.insert(shown.end(), entry.display.begin(), entry.display.end());
    return std::string(areCurves ? "Its curves" : "Its rows") + " are the attributes " + listed(paths, " and ") + " that have a value."
        + describeSetters(program, shown, "set");
}

std::vector<UnsettableEntry> findUnsettableEntries(const Program& program, const View& view)
{
    if (countOf(view.entries) > MostEntries || program.changes.size() > MostLookedAt / 100)
        return {};
    const std::vector<AttributePattern> written = computeWrittenPatterns(program);
    const auto isSet = [&](const ShownPath& path) {
        return std::ranges::any_of(written, [&](const AttributePattern& shape) { return path.canMeet(shape); });
    };
    const EntryPaths paths = pathsOf(view);
    std::vector<UnsettableEntry> unset;
    for (const ShownAttributes& it : findShownAttributes(view, program.id)) {
        const bool isOfOthersToo = view.analyses.size() > 1 && it.entry->analysis.empty();
        if (!it.display.empty() && !isOfOthersToo && std::ranges::none_of(it.display, isSet))
            unset.push_back({it.entry->place, std::ranges::find(paths, it.entry, [](const auto& path) { return path.first; })->second});
    }
    return unset;
}

std::string describeShownAttributes(const Program& program, const CallStacks& stacks)
{
    const std::vector<ShownPath> shown = shownStacks(stacks);
    if (shown.empty())
        return "It has no level, so it has no call stacks.";
    std::string path;
    for (const auto& level : stacks.groups.front().levels)
        path += textOf(level) + "/";
    return "Calls are the values pushed onto the attributes " + path + "CallStack." + describeSetters(program, shown, "pushed");
}

} // namespace helio::xml
