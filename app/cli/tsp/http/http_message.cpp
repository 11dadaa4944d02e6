#include "app/cli/tsp/http/http_message.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace helio {
namespace {

constexpr std::size_t MostTargetBytes = 8 << 10; ///< Maximum length of path and parameters together, in bytes.
constexpr std::size_t MostSegments = 16; ///< Maximum number of segments of a path.
constexpr std::size_t MostParameters = 32;

constexpr std::string_view LineEnd = "\r\n";

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// True for the characters of names of headers (RFC 9110, "token").
bool isTokenCharacter(char c) { return isDigit(c) || isLetter(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos; }

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return lower;
}

std::string_view withoutBlanks(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

int hexDigit(char c) { return isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/// Decodes %XX, and `+` as a blank if `isParameter`; nullopt if the text is not valid or its decoded form is not UTF-8 or contains NUL.
std::optional<std::string> decoded(std::string_view text, bool isParameter)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += isParameter && text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        const int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
        if (low < 0)
            return {};
        result += static_cast<char>(high * 16 + low);
        i += 2;
    }
    if (result.find('\0') != std::string::npos || !isUtf8(result))
        return {};
    return result;
}

/// Calls `take` with each part of `text` between separators; stops if `take` returns false, and then returns false.
template <typename Take> bool forEachPart(std::string_view text, char separator, const Take& take)
{
    for (;;) {
        const auto end = text.find(separator);
        if (!take(text.substr(0, end)))
            return false;
        if (end == std::string_view::npos)
            return true;
        text.remove_prefix(end + 1);
    }
}

bool parseTarget(std::string_view target, HttpRequest& request)
{
    const auto isPrintable = [](char c) { return c > ' ' && c < 0x7f && c != '#'; };
    if (!target.starts_with('/') || !std::ranges::all_of(target, isPrintable))
        return false;
    const auto question = target.find('?');
    const bool hasPath =
        forEachPart(target.substr(1, question == std::string_view::npos ? question : question - 1), '/', [&](std::string_view part) {
            const auto segment = decoded(part, false);
            if (!segment || request.path.size() == MostSegments)
                return false;
            request.path.push_back(*segment);
            return true;
        });
    if (!hasPath || question == std::string_view::npos)
        return hasPath;
    return forEachPart(target.substr(question + 1), '&', [&](std::string_view part) {
        const auto equals = std::min(part.find('='), part.size());
        const auto name = decoded(part.substr(0, equals), true);
        const auto value = decoded(part.substr(std::min(equals + 1, part.size())), true);
        if (!name || !value || request.query.size() == MostParameters)
            return false;
        request.query.emplace_back(*name, *value);
        return true;
    });
}

std::optional<HttpFault> parseRequestLine(std::string_view line, HttpRequest& request)
{
    const auto methodEnd = line.find(' ');
    const auto targetEnd = line.rfind(' ');
    if (methodEnd == std::string_view::npos || targetEnd <= methodEnd)
        return HttpFault{400, "the request line is not valid"};
    request.method = line.substr(0, methodEnd);
    if (request.method.empty() || request.method.size() > 16 || !std::ranges::all_of(request.method, isLetter))
        return HttpFault{400, "the method is not valid"};
    const std::string_view version = line.substr(targetEnd + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return HttpFault{505, "only HTTP/1.1 and HTTP/1.0 are supported"};
    request.keepsConnection = version == "HTTP/1.1";
    const std::string_view target = line.substr(methodEnd + 1, targetEnd - methodEnd - 1);
    if (target.size() > MostTargetBytes)
        return HttpFault{414, "the path is longer than " + std::to_string(MostTargetBytes) + " bytes"};
    if (!parseTarget(target, request))
        return HttpFault{400, "the path or its parameters are not valid"};
    return {};
}

std::optional<HttpFault> parseHeader(std::string_view line, HttpRequest& request)
{
    const auto colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    if (colon == std::string_view::npos || name.empty() || !std::ranges::all_of(name, isTokenCharacter))
        return HttpFault{400, "a header is not valid"};
    const std::string_view value = withoutBlanks(line.substr(colon + 1));
    if (std::ranges::any_of(value, [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t'; }))
        return HttpFault{400, "a header contains a control character"};
    if (request.headers.size() == MostHeaders)
        return HttpFault{431, "the request has more than " + std::to_string(MostHeaders) + " headers"};
    request.headers.emplace_back(lowerCase(name), value);
    return {};
}

/// Applies the headers that change how the request is read.
std::optional<HttpFault> applyHeaders(HttpRequest& request, bool isHostRequired)
{
    // A repeated header would let a program between client and server read the request in another way.
    for (const char* single : {"host", "content-length", "authorization", "origin", "content-type"})
        if (std::ranges::count(request.headers, single, &HttpFields::value_type::first) > 1)
            return HttpFault{400, std::string("the header ") + single + " occurs more than once"};
    if (isHostRequired && !request.header("host"))
        return HttpFault{400, "the header Host is missing"};
    if (request.header("transfer-encoding"))
        return HttpFault{501, "Transfer-Encoding is not supported; send the header Content-Length"};
    if (const std::string* length = request.header("content-length")) {
        const auto [end, error] = std::from_chars(length->data(), length->data() + length->size(), request.bodyBytes);
        if (length->empty() || !isDigit(length->front()) || error != std::errc() || end != length->data() + length->size())
            return HttpFault{400, "the header Content-Length is not a number of bytes"};
    }
    if (const std::string* connection = request.header("connection"))
        if (lowerCase(*connection).find("close") != std::string::npos)
            request.keepsConnection = false;
    return {};
}

std::string_view phraseOf(int status)
{
    constexpr std::array<std::pair<int, std::string_view>, 17> Phrases{{{200, "OK"},
                                                                        {204, "No Content"},
                                                                        {400, "Bad Request"},
                                                                        {401, "Unauthorized"},
                                                                        {403, "Forbidden"},
                                                                        {404, "Not Found"},
                                                                        {405, "Method Not Allowed"},
                                                                        {406, "Not Acceptable"},
                                                                        {408, "Request Timeout"},
                                                                        {409, "Conflict"},
                                                                        {413, "Content Too Large"},
                                                                        {414, "URI Too Long"},
                                                                        {431, "Request Header Fields Too Large"},
                                                                        {500, "Internal Server Error"},
                                                                        {501, "Not Implemented"},
                                                                        {503, "Service Unavailable"},
                                                                        {505, "HTTP Version Not Supported"}}};
    const auto found = std::ranges::find(Phrases, status, &std::pair<int, std::string_view>::first);
    return found == Phrases.end() ? "Error" : found->second;
}

const std::string* find(const HttpFields& fields, std::string_view name)
{
    const auto found = std::ranges::find(fields, name, &HttpFields::value_type::first);
    return found == fields.end() ? nullptr : &found->second;
}

} // namespace

const std::string* HttpRequest::header(std::string_view name) const { return find(headers, name); }
const std::string* HttpRequest::parameter(std::string_view name) const { return find(query, name); }

std::optional<HttpFault> parseHead(std::string_view head, HttpRequest& request)
{
    std::size_t lines = 0;
    for (; !head.empty(); ++lines) {
        const auto end = head.find(LineEnd);
        if (end == std::string_view::npos)
            return HttpFault{400, "a line of the request does not end with CR LF"};
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(end + LineEnd.size());
        if (line.empty())
            break;
        if (auto fault = lines == 0 ? parseRequestLine(line, request) : parseHeader(line, request))
            return fault;
    }
    if (lines == 0)
        return HttpFault{400, "the request line is missing"};
    return applyHeaders(request, request.keepsConnection);
}

std::string headOf(const HttpResponse& response, bool isLast)
{
    std::string bytes = "HTTP/1.1 " + std::to_string(response.status) + ' ';
    bytes += phraseOf(response.status);
    bytes += LineEnd;
    const auto add = [&](std::string_view name, std::string_view value) {
        bytes += name;
        bytes += ": ";
        bytes += value;
        bytes += LineEnd;
    };
    if (response.status != 204) {
        add("Content-Type", "application/json");
        add("Content-Length", std::to_string(response.body.size()));
    }
    add("Connection", isLast ? "close" : "keep-alive");
    add("Cache-Control", "no-store");
    add("X-Content-Type-Options", "nosniff");
    for (const auto& [name, value] : response.headers)
        add(name, value);
    bytes += LineEnd;
    return bytes;
}

HttpResponse makeErrorResponse(int status, std::string_view what)
{
    HttpResponse response;
    response.status = status;
    JsonWriter json(response.body);
    json.beginObject();
    json.member("title", what);
    json.endObject();
    return response;
}

} // namespace helio
