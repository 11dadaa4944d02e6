#pragma once

#include "widgets/async/watched_work.h"

namespace helio {

/// Shows the progress of work that its owner starts and runs itself.
class UnaskedWork final : public WatchedWork {
    Q_OBJECT

public:
    explicit UnaskedWork(QObject* parent)
        : WatchedWork(0, {}, parent)
    {
    }
    /// Returns the work of `owner`; the first call makes it. It lives as long as `owner`, so views of it may be destroyed earlier.
    static UnaskedWork& of(QObject& owner)
    {
        auto* there = owner.findChild<UnaskedWork*>(QString(), Qt::FindDirectChildrenOnly);
        return there ? *there : *new UnaskedWork(&owner);
    }
    using WatchedWork::setWork;

private:
    void ask() override { }
};

} // namespace helio
