#pragma once

#include <QThreadPool>

#include <memory>
#include <utility>

namespace helio {

/// Has another thread free what has many parts: those of 100,000 rows take longer than a frame.
template <typename T> void discard(T&& value, std::size_t parts)
{
    if (parts < 1000)
        return;
    QThreadPool::globalInstance()->start([kept = std::make_shared<std::decay_t<T>>(std::forward<T>(value))]() mutable { kept.reset(); });
}

} // namespace helio
