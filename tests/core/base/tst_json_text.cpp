// Texts in JSON: another parser reads the same text, wherever its characters that need an escape are.

#include "core/base/json.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace helio;

namespace {

/// Returns the text that Qt reads from the JSON of a text.
QString readBack(const std::string& text)
{
    std::string json = "[";
    appendJson(json, text);
    json += ']';
    const QJsonDocument read = QJsonDocument::fromJson(QByteArray::fromStdString(json));
    return read.array().size() == 1 ? read.array().at(0).toString() : QStringLiteral("not JSON");
}

} // namespace

class JsonTextTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: blocks of plain characters, which are copied at once, end at each other character.
    void textsAreReadBack_data()
    {
        QTest::addColumn<QByteArray>("special");
        for (const char* const special : {"\"", "\\", "\n", "\x01", "\x1f", " ", "\x7f", "\u00e4", "\u20ac", "\U0001f600", "/"})
            QTest::newRow(QByteArray(special).toHex().constData()) << QByteArray(special);
        QTest::newRow("NUL") << QByteArray(1, '\0');
        QTest::newRow("none") << QByteArray();
    }
    void textsAreReadBack()
    {
        QFETCH(QByteArray, special);
        for (int length : {0, 1, 31, 32, 33, 63, 64, 65, 100})
            for (int at = 0; at <= length; ++at) {
                QByteArray text(length, 'x');
                text.insert(at, special);
                QCOMPARE(readBack(text.toStdString()), QString::fromUtf8(text));
            }
    }

    void bytesThatAreNoTextAreEscaped()
    {
        for (int at : {0, 31, 32, 40}) {
            QByteArray text(40, 'x');
            text.insert(at, '\xff');
            QByteArray expected(40, 'x');
            expected.insert(at, "\\xff");
            QCOMPARE(readBack(text.toStdString()), QString::fromLatin1(expected));
        }
    }
};

HELIO_TEST(JsonTextTest)
#include "tst_json_text.moc"
