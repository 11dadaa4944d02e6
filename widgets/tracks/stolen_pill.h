#pragma once

#include "widgets/shell/pill.h"
#include "widgets/view/stolen_time.h"

namespace helio {

/// Whether stolen time is left out of guests' numbers (StolenTime), as a switch in a view's head. At first hidden. UI thread.
class StolenPill : public Pill {
    Q_OBJECT

public:
    /// `tip`: what it leaves it out of.
    StolenPill(ViewContext& context, const QString& tip);
};

} // namespace helio
