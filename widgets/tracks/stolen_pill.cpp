#include "widgets/tracks/stolen_pill.h"

namespace helio {

StolenPill::StolenPill(ViewContext& context, const QString& tip)
    : Pill(tr("Without stolen time"))
{
    StolenTime& stolen = StolenTime::of(context);
    setCheckable(true);
    setChecked(stolen.isCounted());
    setToolTip(tip);
    hide();
    connect(this, &QAbstractButton::toggled, &stolen, &StolenTime::setCounted);
    connect(&stolen, &StolenTime::changed, this, [this, &stolen] { setChecked(stolen.isCounted()); });
}

} // namespace helio
