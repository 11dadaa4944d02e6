#pragma once

#include "widgets/profiling/sample_model.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace helio {

/// What a person has to know of the shown samples: where a notable share of them is in code without names, in which modules, and where
/// callers are missing, why; with a link to where symbols are chosen. Hidden otherwise, and when it was closed: in all views of the
/// samples.
class MissingSymbolsNotice : public QWidget {
    Q_OBJECT

public:
    explicit MissingSymbolsNotice(ViewContext& context, QWidget* parent = nullptr);

    static QString textOf(const MissingSymbols& nameless, std::uint64_t samples, bool ofCalls = false); ///< Empty: not worth a word.
    static QString textOf(const EarlyEnds& ends);

private:
    void refresh();
    void updateLook();

    ViewContext& m_context;
    SampleModel& m_samples;
    QLabel* m_text;
    QToolButton* m_close;
};

} // namespace helio
