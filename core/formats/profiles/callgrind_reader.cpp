#include "core/formats/profiles/callgrind_reader.h"

#include "core/base/line_reader.h"
#include "core/formats/profiles/callgrind_costs.h"
#include "core/formats/profiles/limits.h"

#include <algorithm>

namespace helio::profiles {
namespace {

constexpr std::size_t MostParts = std::size_t{1} << 21; // Maximum number of parts into which the costs of an event are divided exactly.
constexpr std::size_t FewestCallers = 16; // Number of stacks among which a function's costs are divided once there are more parts.

/// Groups of functions: a group is a single function, or all functions that call each other in a cycle. So calls between different groups
/// never form a cycle.
class FunctionGroups {
public:
    explicit FunctionGroups(const CallgrindCosts& costs)
        : m_callees(costs.functions.size())
        , m_groupOf(costs.functions.size(), NoGroup)
    {
        for (const CallgrindCost& cost : costs.costs)
            if (cost.callee != CallgrindCost::NoCallee && cost.callee != cost.function)
                m_callees[cost.function].push_back(cost.callee);
        findGroups();
    }

    std::size_t size() const { return m_sizes.size(); }
    /// Returns the number of the group that contains the function. A group is called only by itself and by groups with higher numbers.
    std::uint32_t groupOf(std::uint32_t function) const { return m_groupOf[function]; }
    bool isCycle(std::uint32_t group) const { return m_sizes[group] > 1; }

private:
    static constexpr std::uint32_t NoGroup = ~0u;

    /// Makes the groups: the strongly connected components of the call graph, found by Tarjan's algorithm without recursion.
    void findGroups()
    {
        struct Visit {
            std::uint32_t function;
            std::size_t next; ///< Index into m_callees[function] of the callee that is visited next.
        };
        std::vector<std::uint32_t> number(m_callees.size(), 0); // Order of the visit of each function, from 1; 0 if not visited yet.
        std::vector<std::uint32_t> lowest(m_callees.size(), 0);
        std::vector<std::uint32_t> open; // Visited functions that have no group yet.
        std::vector<Visit> visits;
        std::uint32_t count = 0;
        const auto enter = [&](std::uint32_t function) {
            number[function] = lowest[function] = ++count;
            open.push_back(function);
            visits.push_back({function, 0});
        };
        for (std::uint32_t root = 0; root < m_callees.size(); ++root) {
            if (number[root] == 0)
                enter(root);
            while (!visits.empty()) {
                const std::uint32_t function = visits.back().function;
                if (visits.back().next < m_callees[function].size()) {
                    const std::uint32_t callee = m_callees[function][visits.back().next++];
                    if (number[callee] == 0)
                        enter(callee);
                    else if (m_groupOf[callee] == NoGroup)
                        lowest[function] = std::min(lowest[function], number[callee]);
                    continue;
                }
                visits.pop_back();
                if (!visits.empty())
                    lowest[visits.back().function] = std::min(lowest[visits.back().function], lowest[function]);
                if (lowest[function] == number[function])
                    closeGroup(function, open);
            }
        }
    }

    void closeGroup(std::uint32_t first, std::vector<std::uint32_t>& open)
    {
        m_sizes.push_back(0);
        for (std::uint32_t function = ~first; function != first;) {
            function = open.back();
            open.pop_back();
            m_groupOf[function] = static_cast<std::uint32_t>(m_sizes.size() - 1);
            ++m_sizes.back();
        }
    }

    std::vector<std::vector<std::uint32_t>> m_callees; ///< For each function, the functions that it calls.
    std::vector<std::uint32_t> m_groupOf; ///< For each function, the number of its group.
    std::vector<std::size_t> m_sizes; ///< For each group, the number of its functions.
};

/// A part of the cost of a group of functions: the cost `amount` when the group is called from the stack `stack`.
struct CalledPart {
    std::uint32_t stack = 0;
    std::uint64_t amount = 0;
};

/// Estimates call stacks from the costs of functions and calls; see readCallgrind().
class StackEstimator {
public:
    StackEstimator(const CallgrindCosts& costs, SampleRecording& recording)
        : m_costs(costs)
        , m_recording(recording)
        , m_program(programOf(costs.command))
        , m_groups(costs)
        , m_costsOf(m_groups.size())
        , m_frames(costs.costs.size())
        , m_cycles(m_groups.size(), 0)
    {
        for (std::uint32_t i = 0; i < costs.costs.size(); ++i) {
            const CallgrindCost& cost = costs.costs[i];
            const std::uint32_t group = m_groups.groupOf(cost.function);
            // Ignore calls within a group: they move no cost to another group.
            if (cost.callee == CallgrindCost::NoCallee || m_groups.groupOf(cost.callee) != group)
                m_costsOf[group].push_back(i);
            m_frames[i] = addFrame(cost);
        }
        std::uint32_t cycles = 0;
        for (std::uint32_t group = static_cast<std::uint32_t>(m_groups.size()); group-- > 0;)
            if (m_groups.isCycle(group))
                m_cycles[group] = addNamed("<cycle " + std::to_string(++cycles) + '>');
        m_otherCallers = addNamed("[other callers]");
    }

    Status addEvent(std::size_t event, const std::stop_token& stop)
    {
        std::vector<std::vector<CalledPart>> parts(m_groups.size());
        m_partsLeft = MostParts;
        for (std::uint32_t group = static_cast<std::uint32_t>(m_groups.size()); group-- > 0;) {
            if (group % StopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            divide(event, group, parts);
            parts[group] = {};
        }
        return Done{};
    }

    /// Adds the numbers of calls as samples of the kind "calls". Their stacks are exact: the called function and its caller alone.
    Status addCalls(const std::stop_token& stop)
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < m_costs.costs.size(); ++i) {
            const CallgrindCost& cost = m_costs.costs[i];
            if (cost.calls == 0)
                continue;
            if (++count % StopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            ParsedFrame callee;
            callee.function = m_costs.functions[cost.callee].name;
            callee.module = m_costs.functions[cost.callee].object;
            const std::uint32_t frame = m_recording.stacks.addFrame(callee, kindOfModule(callee.module));
            const std::uint32_t caller = m_recording.stacks.call(0, m_frames[i], m_isCut);
            NewSample sample;
            sample.name = sample.unit = "calls";
            sample.period = cost.calls;
            add(sample, m_recording.stacks.call(caller, frame, m_isCut));
        }
        return Done{};
    }

    bool isCut() const { return m_isCut; }

private:
    /// Returns the name of the program that a command line starts.
    static std::string_view programOf(std::string_view command)
    {
        std::string_view program = text::takeWord(command);
        program.remove_prefix(program.rfind('/') + 1);
        return program.empty() ? std::string_view("program") : program;
    }

    std::uint32_t addFrame(const CallgrindCost& cost)
    {
        const CallgrindFunction& function = m_costs.functions[cost.function];
        ParsedFrame frame;
        frame.function = function.name;
        frame.module = function.object;
        frame.file = m_costs.files[cost.file];
        frame.line = cost.line;
        return m_recording.stacks.addFrame(frame, kindOfModule(frame.module));
    }

    std::uint32_t addNamed(const std::string& name)
    {
        ParsedFrame frame;
        frame.function = name;
        return m_recording.stacks.addFrame(frame, Module::Kind::Unknown);
    }

    std::uint64_t valueOf(std::uint32_t index, std::size_t event) const
    {
        const CallgrindCost& cost = m_costs.costs[index];
        return event < cost.count ? m_costs.values[cost.values + event] : 0;
    }

    /// Divides the costs of a group for one event among the stacks from which the group is called.
    void divide(std::size_t event, std::uint32_t group, std::vector<std::vector<CalledPart>>& parts)
    {
        std::uint64_t own = 0; // Cost of the group, including the functions that it calls.
        for (const std::uint32_t cost : m_costsOf[group])
            own += std::min(valueOf(cost, event), LargestSum - own);
        std::vector<CalledPart>& callers = parts[group];
        std::uint64_t called = 0;
        for (const CalledPart& part : callers)
            called += part.amount;
        if (own > called)
            callers.push_back({0, own - called}); // No function calls the rest of the cost: it gets the empty stack.
        else if (own < called)
            m_recording.events.report("missing-costs", 0, 0, "calls cost more than the called function; the difference is not shown");
        keepLargest(callers, m_costsOf[group].size());
        m_rest.clear();
        for (const std::uint32_t cost : m_costsOf[group])
            m_rest.push_back(valueOf(cost, event));
        called = std::max(own, called);
        for (const CalledPart& part : callers) {
            // In damaged profiles, calls may cost more than the called functions.
            const std::uint64_t amount = portion(own, part.amount, called);
            const bool isCycle = m_groups.isCycle(group);
            const std::uint32_t stack = isCycle ? m_recording.stacks.call(part.stack, m_cycles[group], m_isCut) : part.stack;
            takePart(event, group, {stack, amount}, own, parts);
            own -= amount;
            called -= part.amount;
        }
    }

    /// Returns `value` * `part` / `whole`, rounded down. Requires: `part` <= `whole`.
    static std::uint64_t portion(std::uint64_t value, std::uint64_t part, std::uint64_t whole)
    {
        __extension__ using Product = unsigned __int128;
        return whole == 0 ? 0 : static_cast<std::uint64_t>(Product(value) * part / whole);
    }

    /// Moves `part.amount` from the undivided costs of the group (m_rest, whose sum is `rest`) to the stack `part.stack`. Each cost gives
    /// an amount in proportion to its undivided rest.
    void takePart(std::size_t event, std::uint32_t group, const CalledPart& part, std::uint64_t rest,
                  std::vector<std::vector<CalledPart>>& parts)
    {
        std::uint64_t passed = 0; // Sum of the elements of m_rest up to and including the current one.
        std::uint64_t taken = 0;
        for (std::size_t i = 0; i < m_rest.size(); ++i) {
            // Each amount is the difference of two rounded cumulative sums, so the amounts add up to exactly part.amount.
            passed += m_rest[i];
            const std::uint64_t amount = portion(passed, part.amount, rest) - taken;
            taken += amount;
            m_rest[i] -= amount;
            if (amount > 0) {
                const std::uint32_t index = m_costsOf[group][i];
                addPart(event, index, {m_recording.stacks.call(part.stack, m_frames[index], m_isCut), amount}, parts);
            }
        }
    }

    /// Joins all but the largest parts if too many parts would be made of them. `costs` is the number of costs that each one is made of.
    void keepLargest(std::vector<CalledPart>& callers, std::size_t costs)
    {
        std::ranges::stable_sort(callers, {}, &CalledPart::stack);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < callers.size(); ++i)
            if (kept > 0 && callers[kept - 1].stack == callers[i].stack)
                callers[kept - 1].amount += callers[i].amount;
            else
                callers[kept++] = callers[i];
        callers.resize(kept);
        std::ranges::stable_sort(callers, std::ranges::greater(), &CalledPart::amount);
        if (callers.size() * costs <= m_partsLeft)
            m_partsLeft -= callers.size() * costs;
        else if (callers.size() > FewestCallers + 1)
            joinBehind(FewestCallers, callers);
    }

    void joinBehind(std::size_t kept, std::vector<CalledPart>& callers)
    {
        CalledPart others{m_recording.stacks.call(0, m_otherCallers, m_isCut), 0};
        for (std::size_t i = kept; i < callers.size(); ++i)
            others.amount += callers[i].amount;
        callers.resize(kept);
        callers.push_back(others);
    }

    void addPart(std::size_t event, std::uint32_t index, const CalledPart& part, std::vector<std::vector<CalledPart>>& parts)
    {
        const CallgrindCost& cost = m_costs.costs[index];
        if (cost.callee != CallgrindCost::NoCallee) {
            parts[m_groups.groupOf(cost.callee)].push_back(part);
            return;
        }
        NewSample sample;
        sample.name = sample.unit = m_costs.events[event];
        sample.period = part.amount;
        add(sample, part.stack);
    }

    void add(NewSample& sample, std::uint32_t stack)
    {
        sample.hasPeriod = true;
        sample.isSummed = true;
        sample.stack = stack;
        sample.command = m_program;
        m_recording.add(sample, {});
    }

    const CallgrindCosts& m_costs;
    SampleRecording& m_recording;
    std::string_view m_program; ///< Name of the profiled program.
    FunctionGroups m_groups;
    std::vector<std::vector<std::uint32_t>> m_costsOf; ///< Indices into CallgrindCosts::costs by group, without calls within the group.
    std::vector<std::uint32_t> m_frames; ///< For each element of CallgrindCosts::costs, its frame in SampleRecording::stacks.
    std::vector<std::uint32_t> m_cycles; ///< For each group that is a cycle, its frame, e.g. "<cycle 1>"; 0 for a single function.
    std::uint32_t m_otherCallers = 0;
    std::size_t m_partsLeft = 0; ///< Number of parts that may still be made of the current event's costs.
    std::vector<std::uint64_t> m_rest; ///< For each element of m_costsOf[current group], the cost that was not yet divided among stacks.
    bool m_isCut = false; ///< True if stacks were cut because there were too many different ones.
};

} // namespace

bool isCallgrind(std::string_view head)
{
    bool hasEvents = false;
    std::string_view line;
    for (text::LineReader lines(head); lines.next(line);) {
        if (line.find('\0') != std::string_view::npos)
            return false;
        hasEvents |= line.starts_with("events:");
        if (hasEvents && line.starts_with("fn="))
            return true;
    }
    return false;
}

Status readCallgrind(std::string_view text, SampleRecording& recording, const std::stop_token& stop)
{
    recording.hasTimes = false;
    const auto costs = readCallgrindCosts(text, recording, stop);
    if (!costs)
        return costs.error();
    StackEstimator estimator(*costs, recording);
    for (std::size_t event = 0; event < costs->events.size(); ++event)
        if (auto done = estimator.addEvent(event, stop); !done)
            return done;
    if (auto done = estimator.addCalls(stop); !done)
        return done;
    recording.events.report(
        "estimated-stacks", 0, 0,
        "the profile has calls, but no stacks: costs of functions, lines and calls are exact, longer chains are estimated",
        Diagnostic::Severity::Info);
    if (estimator.isCut())
        recording.events.report("many-stacks", 0, 0, "too many different stacks; some frames are missing");
    return Done{};
}

} // namespace helio::profiles
