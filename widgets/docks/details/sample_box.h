#pragma once

#include "core/profiling/samples/sampled_code.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace helio {

class FieldGrid;

/// Box about the sample nearest to the cursor: its time, what ran, and its call stack. A click on a function shows the function's source.
class SampleBox : public QWidget {
    Q_OBJECT

public:
    explicit SampleBox(ViewContext& context, QWidget* parent = nullptr);

    /// Sets the sample to show; nullopt hides the box. `cursor`: time that the sample is nearest to.
    void setSample(std::optional<NamedSample> sample, Timestamp cursor);
    /// Redraws the box after the theme or the time format changed.
    void refresh();

private:
    void openSource(const QString& frame);

    ViewContext& m_context;
    std::optional<NamedSample> m_sample;
    Timestamp m_cursor;
    QLabel* m_title;
    FieldGrid* m_fields;
};

} // namespace helio
