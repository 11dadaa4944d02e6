#include "core/query/path/path.h"
#include "core/query/path/wait_causes.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace helio {
namespace {

/// A frame's name has no semicolon, which parts frames.
std::string frameOf(std::string words)
{
    std::ranges::replace(words, ';', ',');
    return words;
}

/// Stacks of one path. What a stretch says of its kind is summed up as in sumsOf(): without times and numbers of their own.
class Folder {
public:
    Folder(const Timeline& timeline, const CriticalPath& path)
        : m_timeline(timeline)
        , m_path(path)
    {
    }

    std::map<std::string, std::uint64_t> fold()
    {
        std::map<std::string, std::uint64_t> stacks;
        for (const PathStretch& it : m_path.stretches) {
            const std::string base = stackTo(it.within) + nameOf(it.row) + ';';
            if (it.shares == 0)
                stacks[base + frame(it.kind, it.detail)] += static_cast<std::uint64_t>(it.range.duration().count());
            for (std::uint32_t i = it.firstShare; i < it.firstShare + it.shares; ++i)
                stacks[base + frame(it.kind, m_path.shares[i].detail)] += static_cast<std::uint64_t>(m_path.shares[i].total.count());
        }
        return stacks;
    }

private:
    std::string frame(PathKind kind, std::uint32_t detail) const
    {
        const std::string& words = m_path.details[detail];
        return frameOf(std::string(wordOf(kind)) + (words.empty() ? "" : ": " + words));
    }

    /// All up to who is followed in a wait. Waits stand before those in them.
    const std::string& stackTo(std::uint32_t within)
    {
        const auto [it, isNew] = m_stacks.try_emplace(within);
        if (!isNew || within == 0)
            return it->second;
        const PathStretch& wait = m_path.followed[within - 1];
        std::string stack = stackTo(wait.within) + nameOf(wait.row) + ';' + std::string(wordOf(wait.kind)) + ';';
        return m_stacks[within] = std::move(stack);
    }

    const std::string& nameOf(TrackRef thread)
    {
        const auto [it, isNew] = m_names.try_emplace(thread);
        if (isNew)
            it->second = frameOf(threadWords(m_timeline, thread));
        return it->second;
    }

    const Timeline& m_timeline;
    const CriticalPath& m_path;
    std::unordered_map<std::uint32_t, std::string> m_stacks;
    std::unordered_map<TrackRef, std::string, TrackRefHash> m_names;
};

} // namespace

std::map<std::string, std::uint64_t> foldedOf(const Timeline& timeline, const CriticalPath& path) { return Folder(timeline, path).fold(); }

} // namespace helio
