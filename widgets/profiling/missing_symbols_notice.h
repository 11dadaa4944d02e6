#pragma once

#include "widgets/profiling/sample_model.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace helio {

/// Notice that many of the shown samples are in code without names, with the modules of this code, or that stacks end early, with the
/// reason. A link opens the dialog for symbols. Hidden if there is no problem; also in all views of the samples after the user closed it.
class MissingSymbolsNotice : public QWidget {
    Q_OBJECT

public:
    explicit MissingSymbolsNotice(ViewContext& context, QWidget* parent = nullptr);

    /// Returns the text of the notice; empty if the share is too small to mention.
    static QString textOf(const MissingSymbols& nameless, std::uint64_t samples, bool ofCalls = false);
    static QString textOf(const TruncatedStacks& ends);

private:
    void refresh();
    void updateLook();

    ViewContext& m_context;
    SampleModel& m_samples;
    QLabel* m_text;
    QToolButton* m_close;
};

} // namespace helio
