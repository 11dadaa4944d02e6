#pragma once

#include "core/virtualization/virtual_machine_facts.h"
#include "widgets/async/debounced_query.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace helio {

class FieldGrid;

/// Card about the virtual machine whose row is selected: where it runs, which guest runs in it and how that is known, which threads run its
/// vCPUs, and what contradicts the user's settings. Follows the context; hidden while no row of a virtual machine is selected.
class MachineCard : public QWidget {
    Q_OBJECT

public:
    explicit MachineCard(ViewContext& context, QWidget* parent = nullptr);

    bool isEmpty() const { return !m_facts; }
    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }
    /// Repeats the query without delay; called when the dock is shown.
    void fetchSoon() { m_answer.now(); }

signals:
    void changed(); ///< Emitted when the result of isEmpty() changed.

private:
    void fetch();
    void take(std::optional<VirtualMachineFacts> facts);
    void showFacts();

    ViewContext& m_context;
    std::optional<VirtualMachineFacts> m_facts;
    QLabel* m_title;
    QLabel* m_problems;
    FieldGrid* m_fields;
    DebouncedQuery m_answer;
};

} // namespace helio
