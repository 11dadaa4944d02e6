#pragma once

#include <QThreadPool>

#include <memory>
#include <utility>

namespace helio {

/// Frees a large value on a thread of the global pool, because freeing 100,000 rows takes longer than a frame. A value with fewer than 1000
/// `parts` stays with the caller, who frees it.
template <typename T> void discard(T&& value, std::size_t parts)
{
    if (parts < 1000)
        return;
    QThreadPool::globalInstance()->start([kept = std::make_shared<std::decay_t<T>>(std::forward<T>(value))]() mutable { kept.reset(); });
}

} // namespace helio
