#include "app/gui/compare_window/side_clocks.h"

#include "app/timesync/clock_files.h"
#include "app/timesync/moment_alignment.h"
#include "widgets/controls/status_bar.h"
#include "widgets/workspace/view_context.h"

namespace helio {

SideClocks::SideClocks(ViewContext& context, StatusBar& status, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_momentAlignment(new MomentAlignment(context, this))
{
    connect(&context, &ViewContext::actionRequested, this, &SideClocks::run);
    connect(m_momentAlignment, &MomentAlignment::changed, &status, [this, &status] { status.say(m_momentAlignment->words()); });
}

void SideClocks::run(const QString& action)
{
    if (action == QLatin1String("clocks.same-moment"))
        m_momentAlignment->take();
    else if (action == QLatin1String("clocks.import"))
        importClocks(m_context);
    else if (action == QLatin1String("clocks.export"))
        exportClocks(m_context);
}

} // namespace helio
