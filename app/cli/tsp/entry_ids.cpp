#include "app/cli/tsp/entry_ids.h"

namespace helio {
namespace {

/// Returns a text that differs for different entries.
std::string identityOf(std::string_view output, TrackRef track, const std::optional<CounterRef>& series, std::string_view other)
{
    std::string text(output);
    text += '\0';
    if (track.isValid())
        text +=
            't' + std::to_string(static_cast<std::uint32_t>(track.store)) + ':' + std::to_string(static_cast<std::uint32_t>(track.track));
    if (series)
        text += 's' + std::to_string(static_cast<std::uint32_t>(series->store)) + ':'
            + std::to_string(static_cast<std::uint32_t>(series->series));
    text += '\0';
    text += other;
    return text;
}

} // namespace

std::int64_t EntryIds::idOf(const OutputEntry& entry)
{
    const std::string text = identityOf(entry.output, entry.track, entry.series, entry.other);
    const std::lock_guard lock(m_mutex);
    const auto [at, isNew] = m_ids.try_emplace(text, static_cast<std::int64_t>(m_entries.size()));
    if (isNew)
        m_entries.push_back(entry);
    return at->second;
}

std::optional<std::int64_t> EntryIds::idOfRow(std::string_view output, TrackRef track) const
{
    const std::string text = identityOf(output, track, {}, {});
    const std::lock_guard lock(m_mutex);
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

std::optional<OutputEntry> EntryIds::find(std::string_view output, std::int64_t id) const
{
    const std::lock_guard lock(m_mutex);
    if (id < 0 || id >= static_cast<std::int64_t>(m_entries.size()) || m_entries[static_cast<std::size_t>(id)].output != output)
        return {};
    return m_entries[static_cast<std::size_t>(id)];
}

} // namespace helio
