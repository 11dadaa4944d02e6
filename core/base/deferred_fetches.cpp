#include "core/base/deferred_fetches.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

thread_local DeferredFetches* t_innermost = nullptr;

} // namespace

DeferredFetches::DeferredFetches()
    : m_outer(std::exchange(t_innermost, this))
{
}

DeferredFetches::~DeferredFetches() { t_innermost = m_outer; }

DeferredFetches* DeferredFetches::innermost() { return t_innermost; }

void DeferredFetches::add(Wait wait)
{
    m_missing.push_back(std::move(wait));
    m_hasMissed = true;
}

bool DeferredFetches::takeMissing() { return std::exchange(m_hasMissed, false); }

bool DeferredFetches::wait(const std::stop_token& stop)
{
    m_hasMissed = false;
    return std::ranges::all_of(std::exchange(m_missing, {}), [&](const Wait& it) { return it(stop); });
}

} // namespace helio
