<SUBMISSION>
<ACCESSION-NUMBER>0008000002-24-000011
<TYPE>3
<PUBLIC-DOCUMENT-COUNT>1
<PERIOD>20240418
<FILING-DATE>20240422
<REPORTING-OWNER>
<OWNER-DATA>
<CONFORMED-NAME>FOXGLOVE EQUITY PARTNERS LP
<CIK>0008000002
</OWNER-DATA>
</REPORTING-OWNER>
<DOCUMENT>
<TYPE>3
<SEQUENCE>1
<FILENAME>form3.xml
<TEXT>
<XML>
<?xml version="1.0"?>
<ownershipDocument>
    <schemaVersion>X0206</schemaVersion>
    <documentType>3</documentType>
    <periodOfReport>2024-04-18</periodOfReport>
    <noSecuritiesOwned>0</noSecuritiesOwned>
    <issuer>
        <issuerCik>0007000002</issuerCik>
        <issuerName>Brass &amp; Sons Holdings</issuerName>
        <issuerTradingSymbol>BRASS</issuerTradingSymbol>
    </issuer>
    <reportingOwner>
        <reportingOwnerId>
            <rptOwnerCik>0008000002</rptOwnerCik>
            <rptOwnerName>FOXGLOVE EQUITY PARTNERS LP</rptOwnerName>
        </reportingOwnerId>
        <reportingOwnerRelationship>
            <isTenPercentOwner>1</isTenPercentOwner>
        </reportingOwnerRelationship>
    </reportingOwner>
    <reportingOwner>
        <reportingOwnerId>
            <rptOwnerCik>0008000003</rptOwnerCik>
            <rptOwnerName>VAN DER MEER JOOST</rptOwnerName>
        </reportingOwnerId>
        <reportingOwnerRelationship>
            <isDirector>1</isDirector>
        </reportingOwnerRelationship>
    </reportingOwner>
    <nonDerivativeTable>
        <nonDerivativeHolding>
            <securityTitle>
                <value>Class A Common Stock</value>
            </securityTitle>
            <postTransactionAmounts>
                <sharesOwnedFollowingTransaction>
                    <value>612500</value>
                </sharesOwnedFollowingTransaction>
            </postTransactionAmounts>
        </nonDerivativeHolding>
    </nonDerivativeTable>
    <ownerSignature>
        <signatureName>/s/ Joost van der Meer</signatureName>
        <signatureDate>2024-04-21</signatureDate>
    </ownerSignature>
</ownershipDocument>
</XML>
</TEXT>
</DOCUMENT>
</SUBMISSION>
