#pragma once

#include "core/fleet/fleet_details.h"

#include <QWidget>

namespace helio {

/// A finding of a trace: its rank in a disc of its colour, its sentence, the time that it explains, and a bar with its share.
/// Threads: UI thread.
class FindingLine : public QWidget {
    Q_OBJECT

public:
    /// `hasLosses`: true if the trace has losses, so that the time is a lower bound.
    FindingLine(const fleet::DetailedFinding& finding, int rank, bool hasLosses, QWidget* parent = nullptr);
};

} // namespace helio
