#include "core/profiling/samples/sample_nodes.h"

#include "core/query/rows/timeline_access.h"
#include "core/symbol/unwinding/unwinder.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace helio {

void SampleNodes::setStore(StoreIndex index, const Store& store, std::stop_token stop)
{
    m_index = index;
    m_trace = traceOf(m_timeline, index);
    m_nodes.setStore(index, store.stacks());
    m_unwinding.emplace(m_timeline.traces[m_trace], m_timeline.symbolizer, std::move(stop));
}

SampleNodes::Stack SampleNodes::nodeOf(const HostSample& sample)
{
    const std::uint32_t node = m_nodes.nodeOf(sample.stack);
    if (!sample.isUnwound)
        return unwind(sample, node);
    if (const TrimmedChain chain = follow(node); chain.isBroken)
        return {chain.node, UnwindEnd::BrokenChain};
    return {node, sample.isCut ? UnwindEnd::NotRecorded : UnwindEnd::Complete};
}

/// True for a frame at a user-space address outside of all mappings.
bool SampleNodes::isNowhere(const CollectedNode& node)
{
    return node.text == 0 && node.frame.module == UnknownModule && node.frame.address >> 63 == 0;
}

/// True if a stack contains known code, but its outermost frame is a return address outside of all mappings.
bool SampleNodes::endsNowhere(std::uint32_t node) const
{
    bool isKnown = false;
    for (; node != 0 && m_profile.nodes[node].parent != 0; node = m_profile.nodes[node].parent)
        isKnown = isKnown || (m_profile.nodes[node].text == 0 && m_profile.nodes[node].frame.module != UnknownModule);
    return isKnown && isNowhere(m_profile.nodes[node]) && m_profile.nodes[node].frame.isReturnAddress;
}

SampleNodes::TrimmedChain SampleNodes::follow(std::uint32_t node)
{
    if (node >= m_followed.size())
        m_followed.resize(m_profile.nodes.size());
    if (!m_followed[node].isKnown) {
        const std::uint32_t whole = withoutCycles(node);
        m_followed[node] = {whole, true, endsNowhere(whole)};
    }
    return m_followed[node];
}

/// Removes the invalid callers of a stack whose frame pointers form a circle. A circle shows as an address outside of all mappings that
/// occurs twice; the stack is cut at its innermost occurrence. Returns the node of the remaining stack; `node` if there is no circle.
std::uint32_t SampleNodes::withoutCycles(std::uint32_t node)
{
    // Innermost node of the stack for each address outside of all mappings, keyed by address.
    std::unordered_map<std::uint64_t, std::uint32_t> met;
    std::uint32_t first = 0;
    for (std::uint32_t at = node; at != 0; at = m_profile.nodes[at].parent) {
        const CollectedNode& it = m_profile.nodes[at];
        if (!isNowhere(it))
            continue;
        const auto [place, isNew] = met.emplace(it.frame.address, at);
        // The larger of two node indices is the inner one, because callers have lower indices.
        if (!isNew)
            first = std::max(first, place->second);
    }
    if (first == 0)
        return node;
    std::vector<StackFrame> inner;
    for (std::uint32_t at = node; at != m_profile.nodes[first].parent; at = m_profile.nodes[at].parent)
        inner.push_back(m_profile.nodes[at].frame);
    std::uint32_t whole = 0;
    for (auto frame = inner.rbegin(); frame != inner.rend(); ++frame)
        whole = m_nodes.intern(whole, *frame);
    return whole;
}

UnwoundStack SampleNodes::unwound(const HostSample& sample)
{
    const auto& kept = m_timeline.traces[m_trace].unwound;
    if (auto known = kept ? kept->find(sample.event) : std::nullopt)
        return std::move(*known);
    UnwoundStack found = m_unwinding->unwind(sample);
    if (kept && found.end != UnwindEnd::Unreadable)
        kept->add(sample.event, found);
    return found;
}

/// Unwinds the user frames of a sample. The returned stack consists of these frames and, as their callees, the kernel frames of `recorded`.
SampleNodes::Stack SampleNodes::unwind(const HostSample& sample, std::uint32_t recorded)
{
    const UnwoundStack found = unwound(sample);
    if (found.frames.empty()) {
        ++m_profile.notUnwound;
        return {recorded, found.end};
    }
    const auto modules = modulesOf(m_timeline, m_index);
    const auto isKernel = [&](const StackFrame& frame) {
        const auto id = static_cast<std::size_t>(frame.module);
        return id == 0 ? frame.address >> 63 != 0 : id < modules.size() && modules[id].isKernel();
    };
    std::vector<StackFrame> kernel;
    for (std::uint32_t node = recorded; node != 0; node = m_profile.nodes[node].parent)
        if (isKernel(m_profile.nodes[node].frame))
            kernel.push_back(m_profile.nodes[node].frame);
    std::uint32_t node = 0;
    for (auto it = found.frames.rbegin(); it != found.frames.rend(); ++it)
        node = m_nodes.intern(node, {it->module, it->isReturnAddress, it->address});
    for (auto it = kernel.rbegin(); it != kernel.rend(); ++it)
        node = m_nodes.intern(node, *it);
    return {node, found.end};
}

} // namespace helio
