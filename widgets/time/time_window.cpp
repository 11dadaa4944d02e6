#include "widgets/time/time_window.h"

namespace helio {

TimeWindow::TimeWindow(QObject* parent)
    : QObject(parent)
{
}

} // namespace helio
