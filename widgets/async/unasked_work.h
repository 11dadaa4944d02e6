#pragma once

#include "widgets/async/watched_work.h"

namespace helio {

/// Says how far work is that whoever owns it asks for and does by itself.
class UnaskedWork final : public WatchedWork {
    Q_OBJECT

public:
    explicit UnaskedWork(QObject* parent)
        : WatchedWork(0, {}, parent)
    {
    }
    /// The work of `owner`, made with the first call. It outlives views that go before their owner.
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
