#pragma once

#include <QString>

class QPainter;
class QRectF;
class QTextDocument;

namespace helio {

/// Name of a heading's anchor, as code hosts make it: lower case, spaces become hyphens, punctuation but `-` and `_` is left out.
QString headingAnchor(const QString& heading);

/// Gives a document that QTextDocument::setMarkdown() loaded the fonts and colours of the theme, margins, wrapped lines of code, table
/// borders, and anchors at its headings. A heading that repeats gets the anchor `name-1`, then `name-2`.
void styleMarkdown(QTextDocument& document);

/// Paints what lies below the code blocks of a styled document, in its coordinates, as far as it intersects `visible`: text blocks have no
/// padding of their own.
void paintCodeBackgrounds(QPainter& painter, const QTextDocument& document, const QRectF& visible);

} // namespace helio
