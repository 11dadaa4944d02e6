#include "core/formats/profiles/cpuprofile_reader.h"

#include "core/formats/profiles/json_profile.h"
#include "core/formats/profiles/limits.h"

#include <algorithm>
#include <unordered_map>

// Format: the type Profiler.Profile of the Chrome DevTools Protocol. Before Node.js 8, a profile had no list "nodes", but a tree of nested
// nodes with the root "head".

namespace helio::profiles {
namespace {

constexpr double NsPerMicrosecond = 1000;

/// Node of the profile's call tree: a function that is called from the stack of its parent node.
struct Node {
    std::int64_t id = 0;
    std::uint32_t stack = 0; ///< Stack of the node in SampleRecording::stacks.
    json::object element; ///< JSON object of the node.
};

class CpuProfileReader {
public:
    explicit CpuProfileReader(SampleRecording& recording)
        : m_recording(recording)
    {
    }

    Status run(std::string_view text, const std::stop_token& stop)
    {
        auto document = JsonDocument::parse(text, m_recording);
        if (!document)
            return document.error();
        const json::object root = (*document)->root();
        if (const auto head = objectIn(memberOf(root, "head")))
            takeNested(*head);
        else
            takeNodes(elementsIn(memberOf(root, "nodes")));
        if (m_nodes.empty())
            return Error{Error::Kind::Corrupt, "the profile has no nodes"};
        takeTimes(root);
        if (m_times.empty()) {
            m_recording.hasTimes = false;
            return takeHits(stop);
        }
        return takeSamples(elementsIn(memberOf(root, "samples")), stop);
    }

private:
    void report(const char* kind, const std::string& what, Diagnostic::Severity severity = Diagnostic::Severity::Warning)
    {
        m_recording.events.report(kind, 0, 0, what, severity);
    }

    /// Adds a node whose function is called from the stack `caller`. Returns the stack of the node.
    std::uint32_t addNode(const json::object& node, std::uint32_t caller)
    {
        const auto call = objectIn(memberOf(node, "callFrame")).value_or(node); // In old profiles, the node is its own call frame.
        const std::string_view name = textIn(memberOf(call, "functionName"));
        std::uint32_t stack = 0;
        if (name != "(root)" || caller != 0) { // The root node is the caller of all code; it gets no frame.
            ParsedFrame frame;
            const std::string function = javaScriptFunction(name, integerIn(memberOf(call, "lineNumber")).value_or(-1),
                                                            integerIn(memberOf(call, "columnNumber")).value_or(-1));
            frame.function = function;
            frame.module = textIn(memberOf(call, "url"));
            stack = m_recording.stacks.call(caller, addFrame(frame), m_isCut);
        }
        const auto id = integerIn(memberOf(node, "id"));
        if (!id)
            report("no-id", "a node has no id; its samples are missing");
        else if (m_index.emplace(*id, m_nodes.size()).second)
            m_nodes.push_back({*id, stack, node});
        else
            report("same-id", "two nodes have the same id; the second one is missing");
        return stack;
    }

    std::uint32_t addFrame(const ParsedFrame& frame)
    {
        const Module::Kind kind = frame.module.empty() ? Module::Kind::Unknown : Module::Kind::File;
        return m_recording.stacks.addFrame(frame, kind);
    }

    /// Adds the nodes of an old profile, in which each node contains its callee nodes in "children".
    void takeNested(const json::object& head)
    {
        std::vector<std::pair<json::object, std::uint32_t>> open{{head, 0}}; // Nodes to be added, with the stacks of their callers.
        while (!open.empty()) {
            const auto [node, caller] = open.back();
            open.pop_back();
            const std::uint32_t stack = addNode(node, caller);
            for (const json::element& child : elementsIn(memberOf(node, "children")))
                if (const auto object = objectIn(child))
                    open.emplace_back(*object, stack);
        }
    }

    /// Adds the nodes of the list "nodes". Each node has the ids of its callee nodes ("children") or the id of its caller node ("parent").
    void takeNodes(const std::vector<json::element>& elements)
    {
        std::unordered_map<std::int64_t, std::vector<json::object>> callees;
        std::unordered_map<std::int64_t, json::object> nodes;
        std::unordered_map<std::int64_t, std::int64_t> callers;
        for (const json::element& element : elements) {
            const auto node = objectIn(element);
            const auto id = node ? integerIn(memberOf(*node, "id")) : std::nullopt;
            if (!id) {
                report("no-id", "a node has no id; its samples are missing");
                continue;
            }
            nodes.emplace(*id, *node);
            if (const auto parent = integerIn(memberOf(*node, "parent")))
                callers.emplace(*id, *parent);
            for (const json::element& child : elementsIn(memberOf(*node, "children")))
                if (const auto callee = integerIn(child))
                    callers.emplace(*callee, *id);
        }
        std::vector<std::pair<json::object, std::uint32_t>> open;
        for (const json::element& element : elements) { // Loop over the list, not over `nodes`, to keep its order.
            const auto node = objectIn(element);
            const auto id = node ? integerIn(memberOf(*node, "id")) : std::nullopt;
            if (!id)
                continue;
            const auto caller = callers.find(*id);
            if (caller != callers.end() && nodes.contains(caller->second))
                callees[caller->second].push_back(*node);
            else
                open.emplace_back(*node, 0);
        }
        while (!open.empty()) {
            const auto [node, caller] = open.back();
            open.pop_back();
            const std::uint32_t stack = addNode(node, caller);
            if (const auto found = callees.extract(integerIn(memberOf(node, "id")).value_or(0)))
                for (const json::object& callee : found.mapped())
                    open.emplace_back(callee, stack);
        }
        if (m_nodes.size() < nodes.size())
            report("cycle", "nodes call each other in a circle; their samples are missing");
    }

    /// Sets m_times from the member "timestamps" or, if there is none, from "startTime" and the differences in "timeDeltas".
    void takeTimes(const json::object& root)
    {
        bool isBad = false;
        const auto add = [&](const std::optional<double>& microseconds, std::int64_t from) {
            const auto time = microseconds ? scaled(*microseconds, NsPerMicrosecond) : std::nullopt;
            std::int64_t sum = 0;
            if (!time || __builtin_add_overflow(from, *time, &sum)) {
                isBad = true;
                sum = m_times.empty() ? from : m_times.back();
            }
            m_times.push_back(sum);
        };
        for (const json::element& element : elementsIn(memberOf(root, "timestamps")))
            add(numberIn(element), 0);
        if (m_times.size() == elementsIn(memberOf(root, "samples")).size() + 1)
            m_times.erase(m_times.begin()); // The additional first timestamp is the start of the profile, not a sample.
        if (m_times.empty()) {
            const auto start = numberIn(memberOf(root, "startTime"));
            const std::int64_t begin = start ? scaled(*start, NsPerMicrosecond).value_or(0) : 0;
            for (const json::element& element : elementsIn(memberOf(root, "timeDeltas")))
                add(numberIn(element), m_times.empty() ? begin : m_times.back());
            if (const auto end = numberIn(memberOf(root, "endTime")); end && start)
                m_end = scaled(*end, NsPerMicrosecond);
        }
        if (isBad)
            report("bad-time", "the time of a sample is missing or does not fit; it has the time of the sample before it");
    }

    Status takeSamples(const std::vector<json::element>& ids, const std::stop_token& stop)
    {
        if (ids.size() != m_times.size())
            report("sample-count", "the profile has not as many times as samples; the rest is missing");
        std::vector<std::pair<std::int64_t, const Node*>> samples; // Times in ns and nodes; nullptr for an unknown node.
        for (std::size_t i = 0; i < std::min(ids.size(), m_times.size()); ++i) {
            const auto found = m_index.find(integerIn(ids[i]).value_or(INT64_MIN));
            if (found == m_index.end())
                report("unknown-node", "the node of a sample is missing; the sample has no stack");
            samples.emplace_back(m_times[i], found == m_index.end() ? nullptr : &m_nodes[found->second]);
        }
        std::ranges::stable_sort(samples, {}, [](const auto& sample) { return sample.first; });
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            if (i % StopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            const std::int64_t time = samples[i].first;
            const std::int64_t next = i + 1 < samples.size() ? samples[i + 1].first : m_end.value_or(time);
            const std::uint64_t weight = next > time ? static_cast<std::uint64_t>(next) - static_cast<std::uint64_t>(time) : 0;
            if (weight > LargestSum - sum) {
                report("large-time", "the time between two samples is too large; the first one is missing");
                continue;
            }
            sum += weight;
            NewSample sample = sampleOf(weight, samples[i].second ? samples[i].second->stack : 0);
            sample.name = "time";
            sample.unit = "ns";
            sample.time = time;
            sample.hasForwardPeriod = sample.isSummed = true;
            m_recording.add(sample, {});
        }
        if (m_end)
            m_recording.end = *m_end;
        else
            report("no-end", "the profile does not say when it ended; its last sample has no duration", Diagnostic::Severity::Info);
        return finish();
    }

    NewSample sampleOf(std::uint64_t period, std::uint32_t stack) const
    {
        NewSample sample;
        sample.period = period;
        sample.hasPeriod = true;
        sample.stack = stack;
        sample.command = "JavaScript";
        return sample;
    }

    /// Adds one aggregated sample per node with the number of its samples ("hitCount"), for a profile without times.
    Status takeHits(const std::stop_token& stop)
    {
        std::size_t count = 0;
        for (const Node& node : m_nodes) {
            if (++count % StopStep == 0 && stop.stop_requested())
                return Error{Error::Kind::Cancelled, "stopped"};
            addHits(integerIn(memberOf(node.element, "hitCount")).value_or(0), node.stack);
        }
        return finish();
    }

    void addHits(std::int64_t hits, std::uint32_t stack)
    {
        if (hits < 0 || static_cast<std::uint64_t>(hits) > LargestCount || static_cast<std::uint64_t>(hits) > LargestSum - m_hits)
            return report("large-count", "the number of samples of a node is negative or too large; they are missing");
        if (hits == 0)
            return;
        m_hits += static_cast<std::uint64_t>(hits);
        NewSample sample = sampleOf(static_cast<std::uint64_t>(hits), stack);
        sample.name = "samples";
        sample.isCounted = true;
        m_recording.add(sample, {});
    }

    Status finish()
    {
        if (m_isCut)
            report("many-stacks", "too many different stacks; some frames are missing");
        return Done{};
    }

    SampleRecording& m_recording;
    std::vector<Node> m_nodes;
    std::unordered_map<std::int64_t, std::size_t> m_index; ///< Indices into m_nodes, keyed by node id.
    std::vector<std::int64_t> m_times; ///< Times of the samples in ns, in the order of the profile.
    std::optional<std::int64_t> m_end; ///< End of the profile in ns; nullopt if not recorded.
    std::uint64_t m_hits = 0;
    bool m_isCut = false; ///< True if stacks were cut because there were too many different ones.
};

} // namespace

bool isCpuProfile(std::string_view head)
{
    const auto has = [&](std::string_view name) { return head.find(name) != std::string_view::npos; };
    return head.substr(0, head.find_first_not_of(" \t\r\n") + 1).ends_with('{') && has("\"functionName\"")
        && ((has("\"nodes\"") && has("\"callFrame\"")) || has("\"head\""));
}

Status readCpuProfile(std::string_view text, SampleRecording& recording, const std::stop_token& stop)
{
    return CpuProfileReader(recording).run(text, stop);
}

} // namespace helio::profiles
