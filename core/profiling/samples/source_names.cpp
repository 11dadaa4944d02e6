#include "core/profiling/samples/source_names.h"

#include "core/query/rows/timeline_access.h"

#include <map>
#include <tuple>

namespace helio {
namespace {

class SourceNamer {
public:
    SourceNamer(const StackNames& functions, const Timeline& timeline, bool withLines)
        : m_functions(functions)
        , m_timeline(timeline)
        , m_withLines(withLines)
    {
        m_names.functions.emplace_back();
        m_names.firstFrame.push_back(0);
        m_names.doubts = functions.doubts;
        m_names.isComplete = functions.isComplete;
    }

    StackNames name(const StackProfile& profile, const std::stop_token& stop)
    {
        for (std::uint32_t node = 0; node < profile.nodes.size(); ++node) {
            m_names.isComplete = m_names.isComplete && !stop.stop_requested();
            if (node > 0)
                addFrames(profile.nodes[node], node, stop);
            m_names.firstFrame.push_back(static_cast<std::uint32_t>(m_names.frames.size()));
        }
        return std::move(m_names);
    }

private:
    void addFrames(const CollectedNode& node, std::uint32_t index, const std::stop_token& stop)
    {
        const auto before = m_functions.framesOf(index);
        if (node.text != 0)
            return addText(m_functions.functions[std::size_t(before.front().function)]);
        const SampledFunction& outermost =
            before.empty() ? m_functions.functions[0] : m_functions.functions[std::size_t(before.back().function)];
        const Symbol symbol = stop.stop_requested() ? Symbol() : symbolOf(node);
        if (symbol.frames.empty())
            return add({}, outermost, false);
        // If inlined functions are not frames, the line is still that of the innermost code.
        const std::size_t count = before.size() > 1 ? symbol.frames.size() : 1;
        for (std::size_t i = 0; i < count; ++i)
            add(symbol.frames[i].source, outermost, count > 1 && symbol.frames[i].isInlined);
    }

    /// Keeps a node that is no code: it has no line.
    void addText(const SampledFunction& text)
    {
        const auto [place, isNew] = m_texts.try_emplace(text.name, FunctionId(m_names.functions.size()));
        if (isNew)
            m_names.functions.push_back(text);
        m_names.frames.push_back({place->second, false});
    }

    Symbol symbolOf(const CollectedNode& node) const
    {
        const Module* module = moduleAt(m_timeline, node.store, node.frame.module);
        if (!m_timeline.symbolizer || node.frame.module == ModuleId{} || !module || module->names)
            return {};
        const std::uint64_t call = node.frame.isReturnAddress && node.frame.address > 0 ? 1 : 0;
        return m_timeline.symbolizer->resolve(*module, node.frame.address - call);
    }

    void add(const SourceLine& source, const SampledFunction& of, bool isInlined)
    {
        const bool isKnown = !source.file.empty() && (!m_withLines || source.line > 0);
        const auto key = std::tuple(isKnown ? source.file : std::string(), isKnown && m_withLines ? source.line : 0u, of.module);
        const auto [place, isNew] = m_places.try_emplace(key, FunctionId(m_names.functions.size()));
        if (isNew) {
            SampledFunction named = of;
            named.name = isKnown ? source.file.substr(source.file.rfind('/') + 1) : std::string();
            named.place = isKnown ? source.file : of.place;
            named.linkageName.clear();
            named.distinctName.clear();
            named.unit.clear();
            if (isKnown && m_withLines)
                named.name += ':' + std::to_string(source.line);
            named.problem = isKnown ? std::string() : of.problem.empty() ? "no source lines are known of it" : of.problem;
            named.isInlined = false;
            m_names.functions.push_back(std::move(named));
        }
        m_names.frames.push_back({place->second, isInlined});
    }

    const StackNames& m_functions;
    const Timeline& m_timeline;
    bool m_withLines;
    std::map<std::tuple<std::string, std::uint32_t, std::string>, FunctionId> m_places;
    std::map<std::string, FunctionId> m_texts;
    StackNames m_names;
};

} // namespace

StackNames nameBySource(const StackProfile& profile, const StackNames& names, const Timeline& timeline, bool withLines,
                        std::stop_token stop)
{
    return SourceNamer(names, timeline, withLines).name(profile, stop);
}

} // namespace helio
