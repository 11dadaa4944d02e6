#pragma once

#include <QJsonObject>

namespace helio {

class TimePanels;

/// How high the panels are, and which are closed, collapsed: what a window remembers for recordings of a kind.
QJsonObject panelLayout(const TimePanels& panels);

/// Takes what panelLayout() made, or whatever else a file says: what is absent is as in a new window.
void restorePanelLayout(TimePanels& panels, const QJsonObject& layout);

} // namespace helio
