#include "core/symbol/naming/background_names.h"

#include <chrono>

namespace helio {

namespace {

using Clock = std::chrono::steady_clock;

/// Views repaint for each lot of names; more often is not seen.
constexpr auto LotInterval = std::chrono::milliseconds(100);

} // namespace

std::size_t BackgroundNames::KeyHash::operator()(const Key& key) const
{
    return (std::hash<const void*>{}(key.module) * 31 + std::hash<std::uint64_t>{}(key.address)) * 2 + key.wantsLines;
}

BackgroundNames::BackgroundNames(std::shared_ptr<Symbolizer> symbolizer, std::function<void()> onNames)
    : m_symbolizer(std::move(symbolizer))
    , m_onNames(std::move(onNames))
    , m_worker([this](std::stop_token stop) { run(stop); })
{
}

BackgroundNames::~BackgroundNames() = default;

std::shared_ptr<const Symbol> BackgroundNames::find(const Wanted& wanted)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_index.find(keyOf(wanted));
    if (found == m_index.end())
        return nullptr;
    m_kept.splice(m_kept.begin(), m_kept, found->second);
    return found->second->symbol;
}

void BackgroundNames::request(std::span<const Wanted> wanted)
{
    {
        const std::lock_guard lock(m_mutex);
        m_queue.assign(wanted.rbegin(), wanted.rend());
    }
    m_changed.notify_one();
}

std::uint64_t BackgroundNames::generation() const
{
    const std::lock_guard lock(m_mutex);
    return m_generation;
}

bool BackgroundNames::isIdle() const
{
    const std::lock_guard lock(m_mutex);
    return m_queue.empty() && !m_isBusy;
}

bool BackgroundNames::takeNext(std::stop_token stop, Wanted& next)
{
    std::unique_lock lock(m_mutex);
    m_isBusy = false;
    if (!m_changed.wait(lock, stop, [this] { return !m_queue.empty(); }))
        return false;
    next = std::move(m_queue.back());
    m_queue.pop_back();
    m_isBusy = true;
    return true;
}

void BackgroundNames::keep(const Wanted& wanted, Symbol symbol)
{
    const std::lock_guard lock(m_mutex);
    m_kept.push_front({wanted, std::make_shared<const Symbol>(std::move(symbol))});
    m_index[keyOf(wanted)] = m_kept.begin();
    while (m_kept.size() > MaxKept) {
        m_index.erase(keyOf(m_kept.back().wanted));
        m_kept.pop_back();
    }
}

void BackgroundNames::run(std::stop_token stop)
{
    auto last = Clock::time_point::min();
    bool hasNews = false;
    Wanted next;
    while (!stop.stop_requested() && takeNext(stop, next)) {
        if (next.module && !find(next)) {
            keep(next, m_symbolizer->resolve(*next.module, next.address, next.wantsLines));
            hasNews = true;
        }
        bool isLast = false;
        {
            const std::lock_guard lock(m_mutex);
            isLast = m_queue.empty();
        }
        if (!hasNews || (!isLast && last != Clock::time_point::min() && Clock::now() - last < LotInterval))
            continue;
        last = Clock::now();
        hasNews = false;
        {
            const std::lock_guard lock(m_mutex);
            ++m_generation;
        }
        if (m_onNames)
            m_onNames();
    }
}

} // namespace helio
