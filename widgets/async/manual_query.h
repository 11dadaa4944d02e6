#pragma once

#include "widgets/async/shared_query.h"

namespace helio {

/// Shows the progress of work that its owner starts and runs itself.
class ManualQuery final : public SharedQuery {
    Q_OBJECT

public:
    explicit ManualQuery(QObject* parent)
        : SharedQuery(0, {}, parent)
    {
    }
    /// Returns the work of `owner`; the first call makes it. It lives as long as `owner`, so views of it may be destroyed earlier.
    static ManualQuery& of(QObject& owner)
    {
        auto* there = owner.findChild<ManualQuery*>(QString(), Qt::FindDirectChildrenOnly);
        return there ? *there : *new ManualQuery(&owner);
    }
    using SharedQuery::setWork;

private:
    void ask() override { }
};

} // namespace helio
