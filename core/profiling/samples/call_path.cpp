#include "core/profiling/samples/call_path.h"

#include <algorithm>

namespace helio {
namespace {

using Shape = CallTreeOptions::Shape;
using Base = CallTreeOptions::Base;

bool matchesAny(std::string_view text, const std::vector<std::string>& patterns)
{
    return !text.empty() && std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matchesPattern(text, p); });
}

} // namespace

bool matchesPattern(std::string_view text, std::string_view pattern)
{
    std::size_t t = 0;
    std::size_t p = 0;
    // Position in the pattern of the last star that was visited.
    std::size_t star = std::string_view::npos;
    // Index in `text` after the characters that the star at position `star` matches.
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

CallPaths::CallPaths(const StackProfile& profile, const StackNames& names, const CallTreeOptions& options)
    : m_profile(profile)
    , m_names(names)
    , m_options(options)
    , m_functions(names.functions)
    , m_processes(options.base == Base::Process ? processNames(profile.threads) : decltype(m_processes)())
    , m_representative(names.functions.size())
{
    for (std::uint32_t i = 0; i < m_representative.size(); ++i)
        m_representative[i] = i;
    if (options.mergesModules || options.mergesNamesakes)
        mergeByName();
    markFunctions();
}

void CallPaths::mergeByName()
{
    for (SampledFunction& function : m_functions)
        function.distinctName.clear();
    std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> first;
    for (std::uint32_t i = 0; i < m_functions.size(); ++i) {
        const std::string_view module = m_options.mergesModules ? std::string_view() : m_functions[i].module;
        m_representative[i] = first.emplace(std::pair(std::string_view(m_functions[i].label()), module), i).first->second;
    }
}

void CallPaths::markFunctions()
{
    const std::size_t count = m_functions.size();
    m_isHidden.resize(count);
    m_isFocus.resize(count);
    m_isTarget.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const SampledFunction& f = m_functions[i];
        const auto isNamedIn = [&](const std::vector<std::string>& patterns) {
            return matchesAny(f.label(), patterns) || matchesAny(m_names.functions[i].label(), patterns) || matchesAny(f.name, patterns);
        };
        m_isHidden[i] = isNamedIn(m_options.hiddenFunctions) || matchesAny(f.module, m_options.hiddenModules);
        const bool isTarget = m_options.identity
            ? identityOf(f) == identityOf(*m_options.identity)
            : f.isCalled(m_options.function) && (m_options.module.empty() || f.module == m_options.module);
        m_isFocus[m_representative[i]] =
            m_isFocus[m_representative[i]] || isNamedIn(m_options.focus) || matchesAny(f.module, m_options.focus);
        m_isTarget[m_representative[i]] = m_isTarget[m_representative[i]] || isTarget;
    }
}

std::string CallPaths::baseText(const CollectedStack& stack) const
{
    const SampledThread& thread = m_profile.threads[stack.thread];
    const std::string comm = thread.comm.empty() ? "[unknown]" : thread.comm;
    switch (m_options.base) {
    case Base::Process:
        return (thread.pid < 0 ? comm : m_processes.at({thread.host, thread.pid})) + " (" + std::to_string(thread.pid) + ')';
    case Base::Thread: return comm + " (" + std::to_string(thread.tid) + ')';
    case Base::Cpu: return stack.cpu < 0 ? "CPU not recorded" : "CPU " + std::to_string(stack.cpu);
    case Base::None:
    case Base::Command: break;
    }
    return comm;
}

/// True if the samples of `stack` were aggregated before they were recorded and contain no thread. The outermost recorded frame is then the
/// process or thread, so the path gets no base step (the process, command, thread or CPU).
bool CallPaths::isBaseRecorded(const CollectedStack& stack) const
{
    const SampledThread& thread = m_profile.threads[stack.thread];
    return m_profile.kind.isAggregated() && thread.comm.empty() && thread.tid < 0;
}

std::uint32_t CallPaths::baseOf(const CollectedStack& stack)
{
    const bool isCpu = m_options.base == Base::Cpu;
    const auto [known, isNew] = m_bases.emplace(std::pair(isCpu ? 0 : stack.thread, isCpu ? stack.cpu : 0), 0);
    if (!isNew)
        return known->second;
    std::string text = baseText(stack);
    const auto [same, isNewText] = m_baseByText.emplace(text, static_cast<std::uint32_t>(m_functions.size()));
    if (isNewText) {
        SampledFunction& base = m_functions.emplace_back();
        base.name = std::move(text);
        base.code = CodeKind::Thread;
    }
    return known->second = same->second;
}

void CallPaths::appendFramesOf(std::uint32_t node, std::vector<Step>& path) const
{
    const auto frames = m_names.framesOf(node);
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        if (const auto function = static_cast<std::size_t>(frame->function); !m_isHidden[function])
            path.push_back({m_representative[function], frame->isInlined});
}

/// Appends the frames of a stack to `path`, outermost first.
void CallPaths::appendFrames(const CollectedStack& stack, std::vector<Step>& path) const
{
    const std::size_t begin = path.size();
    for (std::uint32_t node = stack.node; node != 0; node = m_profile.nodes[node].parent)
        for (const NamedFrame& frame : m_names.framesOf(node))
            if (const auto function = static_cast<std::size_t>(frame.function); !m_isHidden[function])
                path.push_back({m_representative[function], frame.isInlined});
    std::reverse(path.begin() + static_cast<std::ptrdiff_t>(begin), path.end());
}

bool CallPaths::holdsFocus(const std::vector<Step>& path, std::size_t begin) const
{
    const auto from = path.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::any_of(from, path.end(), [&](const Step& step) { return m_isFocus[step.function]; });
}

/// Keeps only the callers or callees of the selected function, seen from the function's outermost call, so that recursion counts
/// once. Returns false if the path does not contain the function.
bool CallPaths::cutToFunction(std::vector<Step>& path, std::size_t begin)
{
    const auto from = path.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto first = std::find_if(from, path.end(), [&](const Step& step) { return m_isTarget[step.function]; });
    if (first == path.end())
        return false;
    if (m_options.shape == Shape::Callees) {
        path.erase(path.begin(), first);
        m_ownStep = path.size() - 1;
        return true;
    }
    if (m_isTarget[path.back().function])
        m_ownStep = 0;
    path.erase(first + 1, path.end());
    std::reverse(path.begin(), path.end());
    return true;
}

void CallPaths::collapseRecursion(std::vector<Step>& path, std::size_t begin)
{
    const auto last = std::unique(path.begin() + static_cast<std::ptrdiff_t>(begin), path.end(),
                                  [](const Step& a, const Step& b) { return a.function == b.function; });
    path.erase(last, path.end());
}

bool CallPaths::isPlain() const { return m_options.shape == Shape::TopDown && m_options.focus.empty() && !m_options.collapsesRecursion; }

std::optional<CallPaths::Step> CallPaths::baseStepOf(const CollectedStack& stack)
{
    return m_options.base != Base::None && !isBaseRecorded(stack) ? std::optional(Step{baseOf(stack), false}) : std::nullopt;
}

bool CallPaths::pathOf(const CollectedStack& stack, std::vector<Step>& path)
{
    path.clear();
    m_ownStep.reset();
    if (const auto base = baseStepOf(stack))
        path.push_back(*base);
    const std::size_t begin = path.size();
    appendFrames(stack, path);
    if (!m_options.focus.empty() && !holdsFocus(path, begin))
        return false;
    if (m_options.collapsesRecursion)
        collapseRecursion(path, begin);
    const auto stepOf = [&](std::size_t step) { return path.empty() ? std::nullopt : std::optional(step); };
    switch (m_options.shape) {
    case Shape::TopDown: m_ownStep = stepOf(path.size() - 1); break;
    case Shape::Inverted:
        std::reverse(path.begin(), path.end());
        m_ownStep = stepOf(0);
        break;
    case Shape::Callers:
    case Shape::Callees: return cutToFunction(path, begin);
    }
    return true;
}

} // namespace helio
