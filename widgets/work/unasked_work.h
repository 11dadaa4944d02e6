#pragma once

#include "widgets/work/watched_work.h"

namespace helio {

/// Says how far work is that whoever owns it asks for and does by itself.
class UnaskedWork final : public WatchedWork {
public:
    explicit UnaskedWork(QObject* parent)
        : WatchedWork(0, {}, parent)
    {
    }
    using WatchedWork::setWork;

private:
    void ask() override { }
};

} // namespace helio
